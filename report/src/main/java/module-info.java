/** Documents of headings, text, tables and charts, and their renderers. */
module dev.berth.report {
  requires com.fasterxml.jackson.core;
  requires echarts;
  requires static transitive org.jspecify;

  exports dev.berth.report;
}
