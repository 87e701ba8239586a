/** Readers and writers of workloads, infrastructures and host events; preparation of workloads. */
@SuppressWarnings("module") // experiments are compiled later
module dev.berth.traces {
  requires transitive dev.berth.simulator;
  requires transitive com.fasterxml.jackson.databind;
  requires com.fasterxml.jackson.dataformat.csv;
  requires com.fasterxml.jackson.datatype.jdk8;
  requires com.github.luben.zstd_jni;
  requires com.google.common;
  requires hipparchus.clustering;
  requires hipparchus.core;
  requires org.apache.commons.compress;
  requires org.apache.commons.statistics.descriptive;
  requires org.tukaani.xz;
  requires static transitive org.jspecify;

  exports dev.berth.traces;
  exports dev.berth.traces.input;
  exports dev.berth.traces.prepare;
  exports dev.berth.traces.spi;
  exports dev.berth.traces.format.swf to
      dev.berth.experiments;

  uses dev.berth.traces.spi.FormatProvider;

  provides dev.berth.traces.spi.FormatProvider with
      dev.berth.traces.format.OwnFormats;
}
