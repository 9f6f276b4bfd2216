# One job, one shard: dataset x fold x selector x tau x search.


use rule data as search with:
    input:
        lambda w: plan.search_inputs(w.dataset, int(w.fold), w.selector),
    output:
        update(
            f"{plan.results}/shards/dataset={{dataset}}/fold={{fold}}/selector={{selector}}/tau={{tau}}/search={{search}}.parquet"
        ),
    log:
        f"{plan.results}/logs/shards/dataset={{dataset}}/fold={{fold}}/selector={{selector}}/tau={{tau}}/search={{search}}.log",
    params:
        task="altfs.study.tasks:search",
        arguments=lambda w: as_json(plan.search_arguments(shard_key(w))),
