package dev.berth.report;

/** A drawing of numbers. */
public sealed interface Chart extends Block
    permits LineChart, CategoryChart, HeatMap, ScatterChart, TimelineChart {

  /** Returns its name in links and files: small letters, digits and '-', unique in the document. */
  String id();

  /** Returns its title. */
  String title();

  /** Returns its caption in a sentence or two, which screen readers also read. */
  String description();
}
