/** The values of the scheduler as JSON. */
module dev.berth.json {
  requires transitive com.fasterxml.jackson.databind;
  requires com.fasterxml.jackson.core;
  requires com.fasterxml.jackson.dataformat.cbor;
  requires transitive dev.berth.core;
  requires static transitive org.jspecify;

  exports dev.berth.json;

  provides com.fasterxml.jackson.databind.Module with
      dev.berth.json.BerthModule;
}
