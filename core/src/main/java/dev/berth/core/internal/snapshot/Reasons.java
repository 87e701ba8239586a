package dev.berth.core.internal.snapshot;

import static com.google.common.base.Preconditions.checkArgument;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.Reason;
import dev.berth.core.snapshot.ReasonData;
import dev.berth.core.snapshot.RequestData.ConstraintData;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reasons and constraints as plain data. Reasons are written by their components. */
public final class Reasons {

  private static final Map<String, Class<?>> TYPES =
      Arrays.stream(Reason.class.getPermittedSubclasses())
          .collect(Collectors.toMap(Class::getSimpleName, each -> each));

  private Reasons() {}

  /** Returns a reason as plain data. */
  public static ReasonData write(Reason reason) {
    Map<String, Object> values = new TreeMap<>();
    for (RecordComponent each : reason.getClass().getRecordComponents()) {
      Object value = plain(valueOf(each, reason));
      if (value != null) {
        values.put(each.getName(), value);
      }
    }
    return new ReasonData(reason.getClass().getSimpleName(), values);
  }

  private static Object valueOf(RecordComponent component, Reason reason) {
    try {
      return component.getAccessor().invoke(reason);
    } catch (ReflectiveOperationException impossible) { // all reasons are public records
      throw new IllegalStateException(impossible);
    }
  }

  private static @Nullable Object plain(Object value) {
    if (value instanceof Dimension dimension) {
      return Map.of("name", dimension.name(), "unitsPerWhole", dimension.unitsPerWhole());
    }
    if (value instanceof DisruptionBudget budget) {
      return Map.of("limit", budget.limit().name(), "members", (long) budget.members());
    }
    if (value instanceof Constraint constraint) {
      ConstraintData data = write(constraint);
      return Map.of("type", data.type(), "attribute", data.attribute(), "values", data.values());
    }
    if (value instanceof OptionalLong optional) {
      return optional.isPresent() ? optional.getAsLong() : null;
    }
    Map<String, Object> values = Placements.plain(value);
    if (values != null) {
      return values;
    }
    return value instanceof Optional<?> optional ? optional.orElse(null) : value;
  }

  /**
   * Returns the reason of plain data.
   *
   * @throws IllegalArgumentException if there is no such reason
   */
  public static Reason read(ReasonData data) {
    Class<?> type = TYPES.get(data.type());
    checkArgument(type != null, "no reason is called %s", data.type());
    RecordComponent[] components = type.getRecordComponents();
    Set<String> unknown = new HashSet<>(data.values().keySet());
    Object[] values = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      unknown.remove(components[i].getName());
      values[i] = value(components[i], data);
    }
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException(
          "a reason %s has no %s".formatted(data.type(), String.join(", ", unknown)));
    }
    try {
      Class<?>[] types =
          Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
      return (Reason) type.getConstructor(types).newInstance(values);
    } catch (InvocationTargetException refused) {
      throw new IllegalArgumentException(
          refused.getCause() == null ? "refused" : refused.getCause().getMessage(), refused);
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static Object value(RecordComponent component, ReasonData data) {
    Object plain = data.values().get(component.getName());
    Class<?> type = component.getType();
    if (type == Optional.class) {
      Class<?> content =
          (Class<?>) ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[0];
      return Optional.ofNullable(plain).map(each -> require(each, content, component, data));
    }
    if (type == OptionalLong.class) {
      return plain == null
          ? OptionalLong.empty()
          : OptionalLong.of(require(plain, Long.class, component, data));
    }
    if (type == int.class) {
      return Math.toIntExact(require(plain, Long.class, component, data));
    }
    if (type == long.class) {
      return require(plain, Long.class, component, data);
    }
    if (type == List.class) {
      List<?> texts = require(plain, List.class, component, data);
      if (!texts.stream().allMatch(String.class::isInstance)) {
        throw wrong(component, data);
      }
      return texts;
    }
    if (type == boolean.class) {
      return require(plain, Boolean.class, component, data);
    }
    if (type == Dimension.class || type == Constraint.class || type == DisruptionBudget.class) {
      Map<?, ?> map = require(plain, Map.class, component, data);
      try {
        if (type == DisruptionBudget.class) {
          return budget(map);
        }
        return type == Dimension.class
            ? new Dimension((String) member(map, "name"), (Long) member(map, "unitsPerWhole"))
            : read(constraintData(map));
      } catch (ClassCastException odd) {
        throw new IllegalArgumentException(wrong(component, data).getMessage(), odd);
      }
    }
    if (Placements.isPlain(type)) {
      Map<?, ?> map = require(plain, Map.class, component, data);
      try {
        return Placements.read(type, map);
      } catch (ClassCastException | ArithmeticException odd) {
        throw new IllegalArgumentException(wrong(component, data).getMessage(), odd);
      }
    }
    return require(plain, type, component, data);
  }

  static Object member(Map<?, ?> map, String name) {
    Object member = map.get(name);
    checkArgument(member != null, "%s is missing in a reason", name);
    return member;
  }

  private static DisruptionBudget budget(Map<?, ?> map) {
    return new DisruptionBudget(
        DisruptionBudget.Limit.valueOf((String) member(map, "limit")),
        Math.toIntExact((Long) member(map, "members")));
  }

  private static ConstraintData constraintData(Map<?, ?> map) {
    return new ConstraintData(
        (String) member(map, "type"),
        (String) member(map, "attribute"),
        ((List<?>) member(map, "values")).stream().map(String.class::cast).toList());
  }

  private static <T> T require(
      @Nullable Object plain, Class<T> type, RecordComponent component, ReasonData data) {
    if (!type.isInstance(plain)) {
      throw wrong(component, data);
    }
    return type.cast(plain);
  }

  private static IllegalArgumentException wrong(RecordComponent component, ReasonData data) {
    return new IllegalArgumentException(
        "a reason %s has no %s of %s"
            .formatted(data.type(), component.getName(), component.getType().getSimpleName()));
  }

  // ---- Constraints

  static ConstraintData write(Constraint constraint) {
    List<String> values;
    if (constraint instanceof Constraint.Equal equal) {
      values = List.of(equal.value());
    } else if (constraint instanceof Constraint.NotEqual other) {
      values = List.of(other.value());
    } else if (constraint instanceof Constraint.LessThan less) {
      values = List.of(Long.toString(less.bound()));
    } else if (constraint instanceof Constraint.GreaterThan greater) {
      values = List.of(Long.toString(greater.bound()));
    } else if (constraint instanceof Constraint.In in) {
      values = List.copyOf(in.values());
    } else {
      values = List.of();
    }
    return new ConstraintData(
        constraint.getClass().getSimpleName(), constraint.attribute(), values);
  }

  /**
   * Returns the constraint of plain data.
   *
   * @throws IllegalArgumentException if there is no such constraint
   */
  static Constraint read(ConstraintData data) {
    List<String> values = data.values();
    if (data.type().equals("In")) {
      return new Constraint.In(data.attribute(), new HashSet<>(values));
    }
    if (values.size() != (data.type().equals("Exists") ? 0 : 1)) {
      throw new IllegalArgumentException(
          "a constraint %s has %s values".formatted(data.type(), values.size()));
    }
    return switch (data.type()) {
      case "Equal" -> new Constraint.Equal(data.attribute(), values.get(0));
      case "NotEqual" -> new Constraint.NotEqual(data.attribute(), values.get(0));
      case "LessThan" -> new Constraint.LessThan(data.attribute(), Long.parseLong(values.get(0)));
      case "GreaterThan" ->
          new Constraint.GreaterThan(data.attribute(), Long.parseLong(values.get(0)));
      case "Exists" -> new Constraint.Exists(data.attribute());
      default ->
          throw new IllegalArgumentException("no constraint is called %s".formatted(data.type()));
    };
  }
}
