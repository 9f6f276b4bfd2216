# Tables, figures and the report.


# Settings, data and code of which everything is made; a change of them makes it again.
STUDY = hash_of(plan.evaluation)


# Snakemake records the inputs of a job, with their checksums, once for each of its outputs.
# So that all files of a study do not count once for every table and figure, they meet here.
rule collect:
    """Join the results of a dataset."""
    input:
        lambda w: plan.evaluated(w.dataset),
    output:
        plan.collected_portion("{dataset}"),
    log:
        f"{plan.results}/logs/collect/{{dataset}}.log",
    conda:
        "../../envs/altfs.yaml"
    threads: 1
    resources:
        mem_mb=MEMORY,
    params:
        python=interpreter,
        study=STUDY,
        task="altfs.study.collect:collect",
        arguments=lambda w: as_json({"results": plan.results, "dataset": w.dataset}),
    shell:
        COMMAND


use rule collect as combine with:
    """Join the results of all datasets."""
    input:
        [path for name in plan.facts for path in plan.collected_portion(name)],
    output:
        plan.combined_paths(),
    log:
        f"{plan.results}/logs/combine.log",
    params:
        task="altfs.study.collect:combine",
        arguments=as_json({"results": plan.results}),


use rule collect as tables with:
    """Make a table, as Parquet and CSV."""
    input:
        plan.combined_paths(),
    output:
        [in_report(path, "Tables") for path in plan.table_paths("{table}")],
    log:
        f"{plan.results}/logs/tables/{{table}}.log",
    params:
        caption=caption_of(tables, "table"),
        task="altfs.evaluation.task:table",
        arguments=lambda w: as_json({"results": plan.results, "name": w.table}),


use rule collect as figures with:
    """Draw a figure, for the page and for print."""
    input:
        plan.combined_paths(),
        lambda w: [plan.table_paths(name)[0] for name in figures.get(w.figure).needs],
    output:
        [in_report(path, "Figures") for path in plan.figure_paths("{figure}")],
    log:
        f"{plan.results}/logs/figures/{{figure}}.log",
    params:
        caption=caption_of(figures, "figure"),
        task="altfs.evaluation.task:figure",
        arguments=lambda w: as_json({"results": plan.results, "name": w.figure}),


use rule collect as report with:
    """Make the page of the study."""
    input:
        plan.combined_paths(),
        [plan.table_paths(name)[0] for name in plan.tables],
        [plan.figure_paths(name, "svg", "json") for name in plan.figures],
    output:
        report(
            plan.report_path(),
            "../report/page.rst",
            category="Report",
            labels={"name": "Report", "format": "HTML"},
        ),
        plan.evaluated_path(),
    log:
        f"{plan.results}/logs/report.log",
    params:
        task="altfs.commands.report:page",
        arguments=as_json({"results": plan.results, "study": STUDY}),
