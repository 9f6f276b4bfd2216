# Predictions for every distinct feature set of a fold; then tables, figures and the report.


rule predict:
    input:
        lambda w: [
            plan.shard_path(key) for key in plan.shard_keys(w.dataset, int(w.fold))
        ],
        lambda w: plan.data_path(w.dataset),
    output:
        update(
            f"{plan.results}/predictions/dataset={{dataset}}/fold={{fold}}/model={{model}}.parquet"
        ),
    log:
        f"{plan.results}/logs/predictions/dataset={{dataset}}/fold={{fold}}/model={{model}}.log",
    priority: costly_first
    conda:
        "../../envs/altfs.yaml"
    params:
        python=interpreter,
        task="altfs.study.tasks:predict",
        arguments=lambda w: as_json(
            plan.predict_arguments(w.dataset, int(w.fold), w.model)
        ),
    shell:
        "{params.python:q} -m altfs.study.run {params.task} {params.arguments:q} > {log:q} 2>&1"


# Snakemake records the inputs of a job, with their checksums, once for each of its outputs.
# So that all files of a study do not count once for every table and figure, they meet here.
rule gather:
    input:
        files_to_evaluate(plan),
    output:
        plan.gathered_path(),
    log:
        f"{plan.results}/logs/gather.log",
    conda:
        "../../envs/altfs.yaml"
    params:
        python=interpreter,
        task="altfs.study.tasks:gather",
        arguments=as_json(plan.gather_arguments()),
    shell:
        "{params.python:q} -m altfs.study.run {params.task} {params.arguments:q} > {log:q} 2>&1"


rule evaluate:
    input:
        plan.gathered_path(),
    output:
        [
            in_report(path)
            for path in [f"{plan.results}/report.html", *plan.evaluation_paths()]
        ],
    log:
        f"{plan.results}/logs/evaluate.log",
    conda:
        "../../envs/altfs.yaml"
    params:
        python=interpreter,
        task="altfs.evaluation.task:evaluate",
        arguments=as_json(plan.evaluate_arguments()),
    shell:
        "{params.python:q} -m altfs.study.run {params.task} {params.arguments:q} > {log:q} 2>&1"
