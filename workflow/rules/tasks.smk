# A rule for each type of task: datasets, scores, qualities, shards, explanations, predictions.
# The type says which file a task makes, what it reads, and what makes it.

for task_type in task_types():

    rule:
        name:
            task_type.rule
        input:
            force_recomputation,
            inputs_of(task_type),
        output:
            update(f"{plan.results}/{task_type.pattern}"),
        log:
            log_of(plan.results, f"{plan.results}/{task_type.pattern}"),
        priority: costly_first
        conda:
            "../../envs/altfs.yaml"
        threads: 1
        resources:
            mem_mb=MEMORY,
        params:
            python=interpreter,
            task="altfs.study.run:run_task",
            arguments=arguments_of(task_type),
        shell:
            COMMAND

    workflow.get_rule(task_type.rule).docstring = getdoc(task_type)
