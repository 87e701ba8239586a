/** What ran where and when, as columns of numbers, and what records it. */
module dev.berth.timeline {
  requires transitive dev.berth.api;
  requires static transitive org.jspecify;

  exports dev.berth.timeline;
}
