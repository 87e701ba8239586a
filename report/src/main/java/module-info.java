/** Documents of headings, text, tables and charts, and their renderers. */
module dev.berth.report {
  requires com.fasterxml.jackson.core;
  requires transitive com.fasterxml.jackson.databind;
  requires transitive dev.berth.timeline;
  requires echarts;
  requires static transitive org.jspecify;

  exports dev.berth.report;
  exports dev.berth.report.render;
}
