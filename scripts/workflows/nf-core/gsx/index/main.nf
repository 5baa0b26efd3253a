process GSX_INDEX {
    tag "$meta.id"
    label 'process_high'

    conda "${moduleDir}/environment.yml"

    input:
    tuple val(meta), path(fasta)

    output:
    tuple val(meta), path("*.gsx"), emit: index
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
    gsx index \
        $args \
        --threads $task.cpus \
        $memory \
        $device \
        $fasta \
        -o ${prefix}.gsx

    cat <<-END_VERSIONS > versions.yml
    "${task.process}":
        gsx: \$(gsx --version | sed 's/^gsx //')
    END_VERSIONS
    """

    stub:
    def prefix = task.ext.prefix ?: "${meta.id}"
    """
    touch ${prefix}.gsx

    cat <<-END_VERSIONS > versions.yml
    "${task.process}":
        gsx: \$(gsx --version | sed 's/^gsx //')
    END_VERSIONS
    """
}
