/** A loop that owns a scheduler, a journal, and recovery from it. */
module dev.berth.runtime {
  requires transitive dev.berth.core;
  requires transitive dev.berth.json;
  requires transitive dev.berth.timeline;
  requires static org.eclipse.jetty.server;
  requires jdk.jfr;
  requires org.slf4j;
  requires static transitive org.jspecify;

  exports dev.berth.runtime;
  exports dev.berth.runtime.entry;
  exports dev.berth.runtime.journal;
}
