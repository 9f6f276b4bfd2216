# One job explains rows of a fold: dataset x fold x selector x tau x search.


use rule data as explain with:
    input:
        lambda w: plan.data_path(w.dataset),
    output:
        update(
            f"{plan.results}/explanations/dataset={{dataset}}/fold={{fold}}/selector={{selector}}/tau={{tau}}/search={{search}}.parquet"
        ),
    log:
        f"{plan.results}/logs/explanations/dataset={{dataset}}/fold={{fold}}/selector={{selector}}/tau={{tau}}/search={{search}}.log",
    params:
        task="altfs.study.tasks:explain",
        arguments=lambda w: as_json(plan.explain_arguments(shard_key(w))),
