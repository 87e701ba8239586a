package dev.berth.report;

/** A drawing of numbers. */
public sealed interface Chart extends Block
    permits LineChart, BarChart, IntervalChart, BoxChart, HeatMap, ScatterChart {

  /** Names it in links and files; small letters, digits and '-', unique on the page. */
  String id();

  /** What it shows. */
  String title();

  /** What is to be seen in it, in a sentence or two: its caption, and what is read out for it. */
  String description();
}
