# One job, one shard: dataset x fold x selector x tau x search.


rule search:
    input:
        lambda w: plan.selector_inputs(w.dataset, int(w.fold), w.selector),
    output:
        update(
            f"{plan.results}/shards/dataset={{dataset}}/fold={{fold}}/selector={{selector}}/tau={{tau}}/search={{search}}.parquet"
        ),
    log:
        f"{plan.results}/logs/shards/dataset={{dataset}}/fold={{fold}}/selector={{selector}}/tau={{tau}}/search={{search}}.log",
    priority: costly_first
    conda:
        "../../envs/altfs.yaml"
    params:
        python=interpreter,
        task="altfs.study.tasks:search",
        arguments=lambda w: as_json(plan.search_arguments(shard_key(w))),
    shell:
        "{params.python:q} -m altfs.study.run {params.task} {params.arguments:q} > {log:q} 2>&1"
