package dev.berth.kubernetes.meaning;

import dev.berth.api.Dimension;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads quantities of Kubernetes, exactly, and converts them into units of a {@link Dimension}.
 *
 * <p>Demands are rounded up and capacities down, so that what fits here fits on the node. A demand
 * of CPU is rounded up to a thousandth of a core, as kubelets do.
 */
public final class Quantities {

  /** The number of pods on a node; unit: one pod. */
  public static final Dimension PODS = new Dimension("pods", 1);

  /** Local storage that does not outlive a pod; whole: one gigabyte, unit: one byte. */
  public static final Dimension EPHEMERAL_STORAGE = bytes("ephemeral-storage");

  /** Resources that a pod may ask for whatever the nodes are. */
  public static final Set<Dimension> OF_EACH_NODE =
      Set.of(PODS, Dimension.CPU, Dimension.MEMORY, EPHEMERAL_STORAGE);

  /** The rule for the text of a quantity, for messages. */
  static final String RULE = "must be a quantity such as 2, 0.5, 500m, 1e3, 64Mi or 10G";

  /** The rule for the size of a quantity, for messages. */
  static final String SIZE = "must be 0 or more, and less than 2^62 units";

  private static final int LONGEST_TEXT = 64;
  private static final int NANO = 9;
  private static final BigDecimal BELOW = new BigDecimal(BigInteger.ONE.shiftLeft(62));

  private static final Pattern QUANTITY =
      Pattern.compile(
          "([+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+))"
              + "(?:[eE]([+-]?[0-9]{1,2})|(Ki|Mi|Gi|Ti|Pi|Ei|n|u|m|k|M|G|T|P|E|))");

  /** Suffixes by their power of 1000, from a billionth on. */
  private static final List<String> DECIMAL_SUFFIXES =
      List.of("n", "u", "m", "", "k", "M", "G", "T", "P", "E");

  /** Suffixes by their power of 1024, from the first on. */
  private static final List<String> BINARY_SUFFIXES = List.of("Ki", "Mi", "Gi", "Ti", "Pi", "Ei");

  private Quantities() {}

  private static Dimension bytes(String name) {
    return new Dimension(name, Dimension.MEMORY.unitsPerWhole());
  }

  /**
   * Returns the value of a quantity. As in Kubernetes, digits beyond a billionth are rounded up.
   *
   * @param text a quantity such as {@code "500m"} or {@code "64Mi"}
   * @throws IllegalArgumentException if the text is no quantity; the message states the rule
   */
  public static BigDecimal parse(String text) {
    Matcher parts = QUANTITY.matcher(text);
    if (text.length() > LONGEST_TEXT || !parts.matches()) {
      throw new IllegalArgumentException("quantity was %s, %s.".formatted(text, RULE));
    }
    BigDecimal number = new BigDecimal(parts.group(1));
    String exponent = parts.group(2);
    BigDecimal value =
        exponent == null
            ? number.multiply(factor(parts.group(3)))
            : number.scaleByPowerOfTen(Integer.parseInt(exponent));
    return value.scale() > NANO ? value.setScale(NANO, RoundingMode.UP) : value;
  }

  /** The client has these factors too, but rounds that of {@code Ei} to 16 digits. */
  private static BigDecimal factor(String suffix) {
    int binary = BINARY_SUFFIXES.indexOf(suffix);
    return binary < 0
        ? BigDecimal.ONE.scaleByPowerOfTen(3 * DECIMAL_SUFFIXES.indexOf(suffix) - NANO)
        : new BigDecimal(BigInteger.ONE.shiftLeft(10 * (binary + 1)));
  }

  /** Returns the text of a quantity of the client, with its suffix. */
  static String textOf(Quantity quantity) {
    return Nulls.text(quantity.getAmount()) + Nulls.text(quantity.getFormat());
  }

  /**
   * Returns the dimension of a resource: {@code cpu}, {@code memory}, {@code ephemeral-storage},
   * {@code pods}, {@code hugepages-2Mi} and the like in bytes, and extended resources such as
   * {@code nvidia.com/gpu} in pieces.
   *
   * @return empty if the name is none of these
   */
  public static Optional<Dimension> dimension(String resource) {
    return switch (resource) {
      case "cpu" -> Optional.of(Dimension.CPU);
      case "memory" -> Optional.of(Dimension.MEMORY);
      case "ephemeral-storage" -> Optional.of(EPHEMERAL_STORAGE);
      case "pods" -> Optional.of(PODS);
      default ->
          resource.startsWith("hugepages-")
              ? Optional.of(bytes(resource))
              : resource.indexOf('/') > 0
                  ? Optional.of(new Dimension(resource, 1))
                  : Optional.empty();
    };
  }

  /**
   * Returns a demand in units, rounded up.
   *
   * @param value the value of a quantity: cores, bytes or pieces
   * @throws IllegalArgumentException if it is negative or 2<sup>62</sup> units or more
   */
  public static long demand(Dimension dimension, BigDecimal value) {
    requireCountable(dimension, value);
    return isCpu(dimension)
        ? inUnits(dimension, value.setScale(3, RoundingMode.CEILING))
        : inUnits(dimension, value.setScale(0, RoundingMode.CEILING));
  }

  /**
   * Returns a capacity in units, rounded down.
   *
   * @param value the value of a quantity: cores, bytes or pieces
   * @throws IllegalArgumentException if it is negative or 2<sup>62</sup> units or more
   */
  public static long capacity(Dimension dimension, BigDecimal value) {
    requireCountable(dimension, value);
    return inUnits(dimension, value);
  }

  private static boolean isCpu(Dimension dimension) {
    return dimension.equals(Dimension.CPU);
  }

  /** Refuses what cannot be counted before it is scaled, so that 1e99 is not expanded. */
  private static void requireCountable(Dimension dimension, BigDecimal value) {
    if (value.signum() < 0 || value.compareTo(BELOW) >= 0) {
      throw outOfRange(dimension, value);
    }
  }

  private static long inUnits(Dimension dimension, BigDecimal value) {
    BigDecimal units =
        (isCpu(dimension) ? value.movePointRight(NANO) : value).setScale(0, RoundingMode.FLOOR);
    if (units.compareTo(BELOW) >= 0) {
      throw outOfRange(dimension, value);
    }
    return units.longValueExact();
  }

  private static IllegalArgumentException outOfRange(Dimension dimension, BigDecimal value) {
    return new IllegalArgumentException("%s was %s, %s.".formatted(dimension, value, SIZE));
  }
}
