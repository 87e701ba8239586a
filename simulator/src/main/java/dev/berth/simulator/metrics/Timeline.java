package dev.berth.simulator.metrics;

import java.util.List;

/**
 * Quantities over time, as means over steps of equal length; the number of steps is bounded,
 * whatever the length of the run.
 *
 * @param step length of a step, in seconds
 * @param columns what was looked at
 */
public record Timeline(double step, List<Column> columns) {

  /** Copies the list. */
  public Timeline {
    columns = List.copyOf(columns);
  }

  /** What a column is about. */
  public enum Quantity {
    /** What the hosts that are up have, in whole units of the dimension. */
    CAPACITY,
    /** What all requests that are there ask for, in whole units of the dimension. */
    DEMAND,
    /** What instances on hosts are granted, in whole units of the dimension. */
    GRANTED,
    /** How many requests wait for a host. */
    PENDING
  }

  /**
   * One quantity over time.
   *
   * @param quantity what it is
   * @param dimension of resources; empty where it is none of them
   * @param serviceClass whose it is; empty where it belongs to no class
   * @param values one for each step
   */
  public record Column(
      Quantity quantity, String dimension, String serviceClass, List<Double> values) {

    /** Copies the list. */
    public Column {
      values = List.copyOf(values);
    }
  }

  /** Returns a column, or an empty list if there is none. */
  public List<Double> values(Quantity quantity, String dimension, String serviceClass) {
    return columns.stream()
        .filter(
            each ->
                each.quantity() == quantity
                    && each.dimension().equals(dimension)
                    && each.serviceClass().equals(serviceClass))
        .findFirst()
        .map(Column::values)
        .orElse(List.of());
  }
}
