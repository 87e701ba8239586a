package dev.berth.simulator.metrics;

import java.util.List;

/**
 * Quantities over time, as means over steps of equal length. The number of steps is bounded,
 * whatever the length of the run.
 *
 * @param step length of a step, in seconds
 * @param columns the quantities
 */
public record Timeline(double step, List<Column> columns) {

  /** Copies the list. */
  public Timeline {
    columns = List.copyOf(columns);
  }

  /** The quantity of a column. */
  public enum Quantity {
    /** Capacity of the hosts that are up, in whole units of the dimension. */
    CAPACITY,
    /** Demand of all live requests, in whole units of the dimension. */
    DEMAND,
    /** Grants of the instances on hosts, in whole units of the dimension. */
    GRANTED,
    /** Number of requests that wait for a host. */
    PENDING
  }

  /**
   * One quantity over time.
   *
   * @param quantity the quantity
   * @param dimension name of the dimension; empty if the quantity has none
   * @param serviceClass name of the class; empty if the quantity has none
   * @param values one value for each step
   */
  public record Column(
      Quantity quantity, String dimension, String serviceClass, List<Double> values) {

    /** Copies the list. */
    public Column {
      values = List.copyOf(values);
    }
  }

  /** Returns the values of a column; empty if there is no such column. */
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
