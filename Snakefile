# The study that config.yaml describes: data -> scores -> shards -> predictions -> tables.
# Rules only wire files together; what they do is in altfs/study/tasks.py.


configfile: "config.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/tasks.smk"
include: "workflow/rules/evaluate.smk"


rule all:
    default_target: True
    input:
        f"{plan.results}/report.html",
        plan.evaluation_paths(),
