# Datasets, the scores that selectors share, and the qualities that selectors learn.


# The other rules take their environment, their Python, their priority and their command from it.
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


use rule data as score with:
    input:
        lambda w: plan.data_path(w.dataset),
    output:
        update(
            f"{plan.results}/scores/dataset={{dataset}}/fold={{fold}}/{{score}}.parquet"
        ),
    log:
        f"{plan.results}/logs/scores/dataset={{dataset}}/fold={{fold}}/{{score}}.log",
    params:
        task="altfs.study.tasks:score",
        arguments=lambda w: as_json(
            plan.score_arguments(w.dataset, int(w.fold), w.score)
        ),


use rule data as score_part with:
    input:
        lambda w: plan.data_path(w.dataset),
    output:
        update(
            f"{plan.results}/scores/dataset={{dataset}}/fold={{fold}}/{{pairs}}/part={{part}}.parquet"
        ),
    log:
        f"{plan.results}/logs/scores/dataset={{dataset}}/fold={{fold}}/{{pairs}}/part={{part}}.log",
    params:
        task="altfs.study.tasks:score",
        arguments=lambda w: as_json(
            plan.score_arguments(w.dataset, int(w.fold), w.pairs, int(w.part))
        ),


use rule data as score_join with:
    input:
        lambda w: plan.score_part_paths(w.dataset, int(w.fold), w.pairs),
        lambda w: plan.data_path(w.dataset),
    output:
        update(
            f"{plan.results}/scores/dataset={{dataset}}/fold={{fold}}/{{pairs}}.parquet"
        ),
    log:
        f"{plan.results}/logs/scores/dataset={{dataset}}/fold={{fold}}/{{pairs}}.log",
    params:
        task="altfs.study.tasks:score",
        arguments=lambda w: as_json(
            plan.score_arguments(w.dataset, int(w.fold), w.pairs)
        ),


use rule data as quality with:
    input:
        lambda w: plan.selector_inputs(w.dataset, int(w.fold), w.selector),
    output:
        update(
            f"{plan.results}/qualities/dataset={{dataset}}/fold={{fold}}/selector={{selector}}.parquet"
        ),
    log:
        f"{plan.results}/logs/qualities/dataset={{dataset}}/fold={{fold}}/selector={{selector}}.log",
    params:
        task="altfs.study.tasks:quality",
        arguments=lambda w: as_json(
            plan.quality_arguments(w.dataset, int(w.fold), w.selector)
        ),
