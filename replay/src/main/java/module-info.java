/** Journals as workloads, infrastructures and host events of simulations. */
module dev.berth.replay {
  requires dev.berth.runtime;
  requires transitive dev.berth.traces;
  requires static transitive org.jspecify;

  exports dev.berth.replay;

  uses dev.berth.api.policy.PolicyProvider;

  provides dev.berth.traces.spi.FormatProvider with
      dev.berth.replay.JournalFormats;
}
