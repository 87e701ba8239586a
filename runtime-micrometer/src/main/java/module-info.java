/** The figures of a scheduler loop as metrics of Micrometer. */
@SuppressWarnings("requires-transitive-automatic") // Micrometer is no named module yet
module dev.berth.runtime.micrometer {
  requires transitive dev.berth.runtime;
  requires transitive micrometer.core;
  requires static transitive org.jspecify;

  exports dev.berth.runtime.micrometer;
}
