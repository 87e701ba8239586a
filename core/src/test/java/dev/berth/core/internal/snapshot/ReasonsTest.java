package dev.berth.core.internal.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.Domain;
import dev.berth.api.Peers;
import dev.berth.api.PlacementRule;
import dev.berth.api.Reason;
import dev.berth.api.Taint;
import dev.berth.core.snapshot.ReasonData;
import dev.berth.core.snapshot.RequestData.ConstraintData;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every reason returns from plain data unchanged, and other data are refused. */
class ReasonsTest {

  /** Values of the types of components. */
  private static final Map<Class<?>, Object> SAMPLES =
      Map.ofEntries(
          Map.entry(String.class, "text"),
          Map.entry(int.class, 3),
          Map.entry(long.class, 5_000_000_000L),
          Map.entry(boolean.class, true),
          Map.entry(List.class, List.of("a", "b")),
          Map.entry(OptionalLong.class, OptionalLong.of(7)),
          Map.entry(Dimension.class, new Dimension("gpu", 100)),
          Map.entry(Constraint.class, new Constraint.In("zone", Set.of("a", "b"))),
          Map.entry(DisruptionBudget.class, DisruptionBudget.minUp(4)),
          Map.entry(Taint.class, Taint.preferNot("disk", "half")),
          Map.entry(
              PlacementRule.Near.class, new PlacementRule.Near(Peers.ofJob("j"), Domain.HOST)),
          Map.entry(
              PlacementRule.Apart.class,
              new PlacementRule.Apart(Peers.labelled("k", "v"), Domain.of("zone"))),
          Map.entry(
              PlacementRule.Spread.class,
              new PlacementRule.Spread(Peers.ofJob("j"), Domain.of("zone"), 2)));

  static Stream<Reason> reasons() {
    List<Reason> reasons = new ArrayList<>();
    for (Class<?> each : types(Reason.class)) {
      reasons.add(sample(each, true));
      reasons.add(sample(each, false));
    }
    for (Constraint each :
        List.of(
            new Constraint.Equal("zone", "a"),
            new Constraint.NotEqual("zone", "a"),
            new Constraint.LessThan("rank", -2),
            new Constraint.GreaterThan("rank", 3),
            new Constraint.Exists("zone"))) {
      reasons.add(new Reason.ConstraintNotMet(each, Optional.of("b")));
    }
    return reasons.stream();
  }

  private static List<Class<?>> types(Class<?> sealed) {
    return sealed.isSealed()
        ? Arrays.stream(sealed.getPermittedSubclasses())
            .flatMap(each -> types(each).stream())
            .toList()
        : List.of(sealed);
  }

  private static Reason sample(Class<?> type, boolean full) {
    RecordComponent[] components = type.getRecordComponents();
    Object[] values = new Object[components.length];
    for (int i = 0; i < values.length; i++) {
      Class<?> component = components[i].getType();
      if (component == Optional.class) {
        values[i] = full ? Optional.of("some") : Optional.empty();
      } else if (component == OptionalLong.class && !full) {
        values[i] = OptionalLong.empty();
      } else if (component == boolean.class) {
        values[i] = full;
      } else {
        values[i] = SAMPLES.get(component);
        assertThat(values[i]).as("%s of %s", components[i], type).isNotNull();
      }
    }
    try {
      Constructor<?> constructor =
          type.getConstructor(
              Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
      return (Reason) constructor.newInstance(values);
    } catch (ReflectiveOperationException impossible) {
      throw new LinkageError("a record", impossible);
    }
  }

  @ParameterizedTest
  @MethodSource("reasons")
  void returnsUnchanged(Reason reason) {
    assertThat(Reasons.read(Reasons.write(reason))).isEqualTo(reason);
  }

  /** Each value is also of a wrong type and missing, and one more is there. */
  @ParameterizedTest
  @MethodSource("reasons")
  void refusesOtherData(Reason reason) {
    ReasonData data = Reasons.write(reason);
    List<ReasonData> wrong = new ArrayList<>();
    for (String each : data.values().keySet()) {
      wrong.add(with(data, each, List.of()));
      if (data.values().get(each) instanceof Map<?, ?> map) {
        wrong.add(with(data, each, Map.of()));
        for (Object key : map.keySet()) {
          Map<String, Object> odd = new HashMap<>();
          map.forEach((name, value) -> odd.put((String) name, value));
          odd.put((String) key, Map.of());
          wrong.add(with(data, each, odd));
        }
      }
    }
    wrong.add(with(data, "surplus", 1L));
    wrong.add(new ReasonData("NoSuchReason", data.values()));
    for (ReasonData each : wrong) {
      assertThatIllegalArgumentException().as("%s", each).isThrownBy(() -> Reasons.read(each));
    }
  }

  @Test
  void refusesWhatIsMissing() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Reasons.read(new ReasonData("HeldBack", Map.of("failures", 1L))))
        .withMessage("a reason HeldBack has no until of long");
  }

  @ParameterizedTest
  @CsvSource({"Equal, 0", "Equal, 2", "Exists, 1"})
  void refusesConstraintsWithOtherNumbersOfValues(String type, int values) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> Reasons.read(new ConstraintData(type, "zone", Collections.nCopies(values, "a"))))
        .withMessage("a constraint %s has %s values", type, values);
  }

  private static ReasonData with(ReasonData data, String name, Object value) {
    Map<String, Object> values = new HashMap<>(data.values());
    values.put(name, value);
    return new ReasonData(data.type(), values);
  }
}
