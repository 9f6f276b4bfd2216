# Datasets, and the scores that selectors share.


rule data:
    input:
        no_files,
    output:
        update(f"{plan.results}/datasets/{{dataset}}.parquet"),
    log:
        f"{plan.results}/logs/datasets/{{dataset}}.log",
    priority: costly_first
    conda:
        "../../envs/altfs.yaml"
    params:
        python=interpreter,
        task="altfs.study.tasks:data",
        arguments=lambda w: as_json(plan.data_arguments(w.dataset)),
    shell:
        "{params.python:q} -m altfs.study.run {params.task} {params.arguments:q} > {log:q} 2>&1"


rule score:
    input:
        lambda w: plan.data_path(w.dataset),
    output:
        update(
            f"{plan.results}/scores/dataset={{dataset}}/fold={{fold}}/{{score}}.parquet"
        ),
    log:
        f"{plan.results}/logs/scores/dataset={{dataset}}/fold={{fold}}/{{score}}.log",
    priority: costly_first
    conda:
        "../../envs/altfs.yaml"
    params:
        python=interpreter,
        task="altfs.study.tasks:score",
        arguments=lambda w: as_json(
            plan.score_arguments(w.dataset, int(w.fold), w.score)
        ),
    shell:
        "{params.python:q} -m altfs.study.run {params.task} {params.arguments:q} > {log:q} 2>&1"


rule score_part:
    input:
        lambda w: plan.data_path(w.dataset),
    output:
        update(
            f"{plan.results}/scores/dataset={{dataset}}/fold={{fold}}/{{pairs}}/part={{part}}.parquet"
        ),
    log:
        f"{plan.results}/logs/scores/dataset={{dataset}}/fold={{fold}}/{{pairs}}/part={{part}}.log",
    priority: costly_first
    conda:
        "../../envs/altfs.yaml"
    params:
        python=interpreter,
        task="altfs.study.tasks:score_part",
        arguments=lambda w: as_json(
            plan.score_part_arguments(w.dataset, int(w.fold), w.pairs, int(w.part))
        ),
    shell:
        "{params.python:q} -m altfs.study.run {params.task} {params.arguments:q} > {log:q} 2>&1"


rule score_join:
    input:
        lambda w: plan.score_part_paths(w.dataset, int(w.fold), w.pairs),
        lambda w: plan.data_path(w.dataset),
    output:
        update(
            f"{plan.results}/scores/dataset={{dataset}}/fold={{fold}}/{{pairs}}.parquet"
        ),
    log:
        f"{plan.results}/logs/scores/dataset={{dataset}}/fold={{fold}}/{{pairs}}.log",
    priority: costly_first
    conda:
        "../../envs/altfs.yaml"
    params:
        python=interpreter,
        task="altfs.study.tasks:score_join",
        arguments=lambda w: as_json(
            plan.score_join_arguments(w.dataset, int(w.fold), w.pairs)
        ),
    shell:
        "{params.python:q} -m altfs.study.run {params.task} {params.arguments:q} > {log:q} 2>&1"


ruleorder: score_join > score
