/**
 * The {@code berth} command. Exports nothing: run it as {@code dev.berth.cli/dev.berth.cli.Berth},
 * or from the class path.
 */
module dev.berth.cli {
  requires dev.berth.experiments;
  requires dev.berth.json;
  requires dev.berth.replay;
  requires dev.berth.runtime;
  requires com.google.protobuf;
  requires info.picocli;
  requires java.management;
  requires jdk.management;
  requires parquet.floor;
  requires parquet.hadoop.bundle;
  requires static org.jspecify;

  uses dev.berth.experiments.cluster.ClusterProvider;

  // Commands, options and converters are created and filled by reflection.
  opens dev.berth.cli to
      info.picocli;
  opens dev.berth.cli.bench to
      info.picocli;
  opens dev.berth.cli.compare to
      info.picocli;
  opens dev.berth.cli.experiment to
      info.picocli;
  opens dev.berth.cli.explain to
      info.picocli;
  opens dev.berth.cli.infrastructure to
      info.picocli;
  opens dev.berth.cli.input to
      info.picocli;
  opens dev.berth.cli.journal to
      info.picocli;
  opens dev.berth.cli.output to
      info.picocli;
  opens dev.berth.cli.policies to
      info.picocli;
  opens dev.berth.cli.replay to
      info.picocli;
  opens dev.berth.cli.reproduce to
      info.picocli;
  opens dev.berth.cli.run to
      info.picocli;
  opens dev.berth.cli.session to
      info.picocli;
  opens dev.berth.cli.terminal to
      info.picocli;
  opens dev.berth.cli.trace to
      info.picocli;
  opens dev.berth.cli.workload to
      info.picocli;
}
