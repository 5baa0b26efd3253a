process GSX_COUNT {
    tag "$meta.id"
    label 'process_medium'

    conda "${moduleDir}/environment.yml"

    input:
    tuple val(meta), path(reads)
    tuple val(meta2), path(index)

    output:
    tuple val(meta), path("*.count.tsv.gz"), emit: counts
    tuple val(meta), path("*.count.json"), emit: summary
    path "versions.yml", emit: versions

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: ''
    def prefix = task.ext.prefix ?: "${meta.id}"
    // A MB is 5 % less than a MiB: room for pages of files.
    def memory = task.memory ? "--memory-limit ${task.memory.toMega()}MB" : ''
    // GPUs of the task: it fails with exit code 7 where they are not usable, and does not take the CPU.
    def device = task.accelerator ? '--device cuda' : '--device cpu'
    """
    gsx count \
        $args \
        --threads $task.cpus \
        $memory \
        $device \
        -x $index \
        $reads \
        --summary ${prefix}.count.json \
        -o ${prefix}.count.tsv.gz

    cat <<-END_VERSIONS > versions.yml
    "${task.process}":
        gsx: \$(gsx --version | sed 's/^gsx //')
    END_VERSIONS
    """

    stub:
    def prefix = task.ext.prefix ?: "${meta.id}"
    """
    echo | gzip > ${prefix}.count.tsv.gz
    echo '{}' > ${prefix}.count.json

    cat <<-END_VERSIONS > versions.yml
    "${task.process}":
        gsx: \$(gsx --version | sed 's/^gsx //')
    END_VERSIONS
    """
}
