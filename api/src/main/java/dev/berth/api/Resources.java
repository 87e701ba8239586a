package dev.berth.api;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * An amount in each of any number of dimensions: the capacity of a host, the demand of a request.
 *
 * <p>A dimension that is not named has amount zero. Immutable; amounts are never negative. Look-ups
 * cost O(d) in the number of dimensions d.
 */
public final class Resources {

  private static final Resources NONE = new Resources(List.of(), new long[0]);

  /** The dimensions of most hosts and requests, which share this list. */
  private static final List<Dimension> USUAL = List.of(Dimension.CPU, Dimension.MEMORY);

  private final List<Dimension> dimensions; // ascending
  private final long[] amounts; // all positive

  private Resources(List<Dimension> dimensions, long[] amounts) {
    this.dimensions = dimensions;
    this.amounts = amounts;
  }

  /** Returns zero in every dimension. */
  public static Resources none() {
    return NONE;
  }

  /**
   * Returns an amount in one dimension.
   *
   * @param amount in units of {@code dimension}, not negative
   * @throws IllegalArgumentException if the amount is negative
   */
  public static Resources of(Dimension dimension, long amount) {
    Objects.requireNonNull(dimension, "dimension");
    return builder().put(dimension, amount).build();
  }

  /**
   * Returns amounts in two dimensions.
   *
   * @throws IllegalArgumentException if an amount is negative or both dimensions have the same name
   */
  public static Resources of(Dimension first, long amount, Dimension second, long secondAmount) {
    Objects.requireNonNull(first, "first");
    Objects.requireNonNull(second, "second");
    return builder().put(first, amount).put(second, secondAmount).build();
  }

  /** Returns an empty builder. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns the dimensions with a positive amount, in ascending order of name. */
  public List<Dimension> dimensions() {
    return dimensions;
  }

  /** Returns the amount in units of {@code dimension}; zero if it is not named. */
  public long amount(Dimension dimension) {
    Objects.requireNonNull(dimension, "dimension");
    for (int i = 0; i < amounts.length; i++) {
      if (dimensions.get(i).equals(dimension)) {
        return amounts[i];
      }
    }
    return 0;
  }

  /** Returns the amount in the dimension of that name, on any scale; zero if it is not named. */
  public long amountOf(String name) {
    Objects.requireNonNull(name, "name");
    for (int i = 0; i < amounts.length; i++) {
      if (dimensions.get(i).name().equals(name)) {
        return amounts[i];
      }
    }
    return 0;
  }

  /** Returns whether no amount exceeds that of {@code capacity}. */
  public boolean fitsIn(Resources capacity) {
    Objects.requireNonNull(capacity, "capacity");
    for (int i = 0; i < amounts.length; i++) {
      if (amounts[i] > capacity.amount(dimensions.get(i))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Resources that
        && dimensions.equals(that.dimensions)
        && Arrays.equals(amounts, that.amounts);
  }

  @Override
  public int hashCode() {
    return 31 * dimensions.hashCode() + Arrays.hashCode(amounts);
  }

  /** Returns the amounts in wholes: {@code "cpu 0.375, memory 0.375"}. */
  @Override
  public String toString() {
    if (dimensions.isEmpty()) {
      return "nothing";
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < amounts.length; i++) {
      text.append(i == 0 ? "" : ", ")
          .append(dimensions.get(i).name())
          .append(' ')
          .append(dimensions.get(i).format(amounts[i]));
    }
    return text.toString();
  }

  /** Collects amounts; not thread-safe. */
  public static final class Builder {

    private final Map<String, Dimension> named = new TreeMap<>();
    private final TreeMap<Dimension, Long> amounts = new TreeMap<>();

    private Builder() {}

    /**
     * Sets the amount of one dimension.
     *
     * @param amount in units of {@code dimension}, not negative; zero leaves the dimension out
     * @return this builder
     * @throws IllegalArgumentException if the amount is negative or the dimension was already set
     */
    public Builder put(Dimension dimension, long amount) {
      Objects.requireNonNull(dimension, "dimension");
      if (amount < 0) {
        throw new IllegalArgumentException(
            "%s was %s, must not be negative.".formatted(dimension, dimension.format(amount)));
      }
      if (named.putIfAbsent(dimension.name(), dimension) != null) {
        throw new IllegalArgumentException("%s was given twice.".formatted(dimension));
      }
      if (amount > 0) {
        amounts.put(dimension, amount);
      }
      return this;
    }

    /** Returns the resources. */
    public Resources build() {
      if (amounts.isEmpty()) {
        return NONE;
      }
      List<Dimension> dimensions = List.copyOf(amounts.keySet());
      return new Resources(
          dimensions.equals(USUAL) ? USUAL : dimensions,
          amounts.values().stream().mapToLong(Long::longValue).toArray());
    }
  }
}
