package dev.berth.api;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Hashes of plain data that are the same on every machine and in every run, unlike {@link
 * Object#hashCode}.
 *
 * <p>Equal values have equal hashes. Different values have different hashes, except with the
 * probability of 64-bit hashes. The hashes are no protection against intent: it is easy to find two
 * values with one hash. They may change with the version of Berth.
 */
public final class PlainHash {

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  /** The values of added components that do not count. */
  private static final Set<Object> ABSENT =
      Set.of(false, Optional.empty(), OptionalInt.empty(), OptionalLong.empty(), List.of());

  private static final ClassValue<Shape> SHAPES =
      new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> type) {
          return Shape.of(type);
        }
      };

  private PlainHash() {}

  /**
   * Returns the hash of a value. Cost O(size of the value).
   *
   * @param value text, a number, a boolean, an enum constant, a duration, {@link Resources}, a
   *     service class, a public record, or an optional, collection or map of such values. The order
   *     of lists counts; that of sets and maps does not. Whole numbers of all types are alike, as
   *     are {@code float} and {@code double}. A service class counts by its properties
   * @throws IllegalArgumentException if it is, or contains, a value of another type
   */
  public static long of(Object value) {
    Objects.requireNonNull(value, "value");
    if (value instanceof String text) {
      return of(text);
    }
    if (value instanceof Long || value instanceof Integer) {
      return combine('L', ((Number) value).longValue());
    }
    if (value instanceof Boolean flag) {
      return combine('B', flag ? 1 : 0);
    }
    if (value instanceof List<?> list) {
      long hash = 'A';
      for (Object each : list) {
        hash = combine(hash, of(each));
      }
      return combine(hash, list.size());
    }
    if (value instanceof Map<?, ?> map) {
      long sum = 0;
      for (Map.Entry<?, ?> each : map.entrySet()) {
        sum += combine(of(each.getKey()), of(each.getValue()));
      }
      return combine(combine('M', sum), map.size());
    }
    if (value instanceof Collection<?> set) {
      long sum = 0;
      for (Object each : set) {
        sum += of(each);
      }
      return combine(combine('C', sum), set.size());
    }
    if (value instanceof ServiceClass serviceClass) { // which may be a record that is not public
      return of(serviceClass);
    }
    if (value instanceof Record structure) {
      return SHAPES.get(structure.getClass()).hash(structure);
    }
    return ofOther(value);
  }

  private static long ofOther(Object value) {
    if (value instanceof Optional<?> optional) {
      return optional.isPresent() ? combine('O', of(optional.get())) : combine('O', 0);
    }
    if (value instanceof OptionalLong optional) {
      return optional.isPresent() ? combine('O', of(optional.getAsLong())) : combine('O', 0);
    }
    if (value instanceof OptionalInt optional) {
      return optional.isPresent() ? combine('O', of(optional.getAsInt())) : combine('O', 0);
    }
    if (value instanceof OptionalDouble optional) {
      return optional.isPresent() ? combine('O', of(optional.getAsDouble())) : combine('O', 0);
    }
    if (value instanceof Enum<?> constant) {
      return combine('E', of(constant.name()));
    }
    if (value instanceof Double || value instanceof Float) {
      return combine('D', Double.doubleToLongBits(((Number) value).doubleValue()));
    }
    if (value instanceof Short || value instanceof Byte) {
      return combine('L', ((Number) value).longValue());
    }
    if (value instanceof Duration length) {
      return combine(combine('T', length.getSeconds()), length.getNano());
    }
    if (value instanceof Resources resources) {
      long hash = 'R';
      for (Dimension each : resources.dimensions()) {
        hash = combine(combine(hash, of(each)), resources.amount(each));
      }
      return combine(hash, resources.dimensions().size());
    }
    throw new IllegalArgumentException(
        "value of %s has no plain hash. Maybe pass text, numbers, public records, lists or maps."
            .formatted(value.getClass()));
  }

  private static long of(String text) {
    long hash = 'S';
    for (int i = 0; i < text.length(); i++) {
      hash = hash * GOLDEN + text.charAt(i) + 1;
    }
    return combine(hash, text.length());
  }

  private static long of(ServiceClass each) {
    long hash = combine('K', of(each.name()));
    hash = combine(hash, each.slo().partsPerBillion());
    hash = combine(hash, each.importance());
    hash = combine(hash, of(each.safetyMargin().toString()));
    return combine(hash, Double.doubleToLongBits(each.preemptionOverheadLimit()));
  }

  /** Returns a hash of two hashes. Their order counts. */
  public static long combine(long first, long second) {
    long hash = (first ^ (second + GOLDEN + (first << 6) + (first >>> 2))) * 0xFF51AFD7ED558CCDL;
    hash = (hash ^ (hash >>> 33)) + second * 0xC4CEB9FE1A85EC53L;
    hash ^= hash >>> 32;
    hash *= 0x9FB21C651E98DF25L;
    return hash ^ (hash >>> 29);
  }

  /**
   * Marks a flag, a list or an optional value that was added to a record later. While it is false
   * or empty, it does not count, so that older hashes remain valid.
   */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.RECORD_COMPONENT)
  public @interface Added {}

  /**
   * A record that lists its components itself: of many records, the hashes cost a fraction then.
   */
  public interface Listed {

    /** Returns the values of all components in their order, as a new array. */
    Object[] components();
  }

  /** The components of a record. */
  private static final class Shape {

    private final long name;
    private final Method[] components;
    private final boolean[] added;

    private Shape(long name, RecordComponent[] all) {
      this.name = name;
      components = Arrays.stream(all).map(RecordComponent::getAccessor).toArray(Method[]::new);
      added = new boolean[all.length];
      for (int i = 0; i < all.length; i++) {
        added[i] = all[i].isAnnotationPresent(Added.class);
      }
    }

    static Shape of(Class<?> type) {
      return new Shape(PlainHash.of(type.getSimpleName()), type.getRecordComponents());
    }

    long hash(Record structure) {
      Object[] values =
          structure instanceof Listed listed ? listed.components() : components(structure);
      long hash = name;
      for (int i = 0; i < added.length; i++) {
        if (!added[i] || !ABSENT.contains(values[i])) {
          hash = combine(hash, PlainHash.of(values[i]));
        }
      }
      return hash;
    }

    private Object[] components(Record structure) {
      Object[] values = new Object[components.length];
      for (int i = 0; i < values.length; i++) {
        Method each = components[i];
        try {
          values[i] = each.invoke(structure);
        } catch (IllegalAccessException hidden) {
          throw new IllegalArgumentException(
              "%s has no plain hash, since the record is not public."
                  .formatted(structure.getClass()),
              hidden);
        } catch (InvocationTargetException thrown) {
          throw new IllegalArgumentException(
              "%s threw %s.".formatted(each, thrown.getCause()), thrown);
        }
      }
      return values;
    }
  }
}
