package dev.berth.core.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.PlainHash;
import dev.berth.test.TestRun;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The digest of a snapshot depends on each of its components, and on nothing else. */
class SnapshotDigestTest {

  /** Of each record: the JDK parses their types anew for each array that it returns. */
  private static final Map<Class<?>, RecordComponent[]> COMPONENTS = new HashMap<>();

  /** All components of all records, with contents everywhere. */
  @Test
  void eachComponentChangesTheDigest() {
    SchedulerSnapshot sample = ofFormat(2, new Filled().value(SchedulerSnapshot.class));
    Map<String, Object> variants = new TreeMap<>();
    mutate("", sample, SchedulerSnapshot.class, variants);

    assertThat(variants).hasSizeGreaterThan(140);
    Map<Long, String> seen = new HashMap<>();
    seen.put(sample.checksum(), "the sample");
    variants.forEach(
        (path, variant) ->
            assertThat(seen.put(((SchedulerSnapshot) variant).checksum(), path)).as(path).isNull());
  }

  @Test
  void equalExactlyIfTheSnapshotsAre() {
    SplittableRandom random = new SplittableRandom(7 * TestRun.seed());
    int equal = 0;
    int pairs = TestRun.cases(20_000);
    for (int i = 0; i < pairs; i++) {
      long seed = random.nextLong();
      SchedulerSnapshot one = drawn(seed);
      SchedulerSnapshot other = drawn(random.nextBoolean() ? seed : random.nextLong());
      assertThat(one.checksum() == other.checksum())
          .as("%s%n%s", one, other)
          .isEqualTo(one.equals(other));
      equal += one.equals(other) ? 1 : 0;
    }
    assertThat(equal).isBetween(pairs / 4, pairs * 3 / 4);
  }

  @Test
  void recordsListTheirComponentsInOrder() throws ReflectiveOperationException {
    InstanceData instance = (InstanceData) new Filled().value(InstanceData.class);
    for (Record each : List.of(instance, instance.request().orElseThrow(), instance.starts())) {
      List<Object> components = new ArrayList<>();
      for (RecordComponent component : components(each.getClass())) {
        components.add(component.getAccessor().invoke(each));
      }
      assertThat(((PlainHash.Listed) each).components()).containsExactlyElementsOf(components);
    }
  }

  private static SchedulerSnapshot drawn(long seed) {
    return ofFormat(2, new Drawn(new SplittableRandom(seed)).value(SchedulerSnapshot.class));
  }

  private static SchedulerSnapshot ofFormat(int format, Object snapshot) {
    SchedulerSnapshot it = (SchedulerSnapshot) snapshot;
    return new SchedulerSnapshot(
        format,
        it.settings(),
        it.progress(),
        it.dimensions(),
        it.pools(),
        it.hosts(),
        it.bags(),
        it.instances(),
        it.endedBags(),
        it.latestPlan(),
        it.policyMemory(),
        it.limits(),
        it.budgets(),
        it.groups(),
        it.completions(),
        it.ended());
  }

  /** What the first format lacked does not count; all else does. */
  @Test
  void eachComponentOfTheFirstFormatChangesItsDigest() {
    SchedulerSnapshot sample = ofFormat(1, new Filled().value(SchedulerSnapshot.class));
    Map<String, Object> variants = new TreeMap<>();
    mutate("", sample, SchedulerSnapshot.class, variants);

    Map<Long, String> seen = new HashMap<>();
    variants.forEach(
        (path, variant) -> {
          long digest = ((SchedulerSnapshot) variant).checksum();
          boolean counts = path.startsWith(".completions"); // which no file of that format has
          if (path.matches(
                  ".*\\.(placement|taints|losesProgress|maxFailures|payload|maxRunTime|stopAfter|after|waitsFor)(\\W.*)?")
              && !counts) {
            assertThat(digest).as(path).isEqualTo(sample.checksum());
          } else {
            assertThat(digest).as(path).isNotEqualTo(sample.checksum());
            assertThat(seen.put(digest, path)).as(path).isNull();
          }
        });
  }

  /** Makes values of types. */
  private abstract static class Source {

    private int depth;

    final Object value(Type type) {
      if (type instanceof ParameterizedType generic) {
        Type[] contents = generic.getActualTypeArguments();
        if (generic.getRawType() == List.class) {
          List<Object> list = new ArrayList<>();
          for (int i = size(depth == 1 ? 1 : 2); i > 0; i--) {
            list.add(value(contents[0]));
          }
          return list;
        }
        if (generic.getRawType() == Optional.class) {
          return size(1) == 0 ? Optional.empty() : Optional.of(value(contents[0]));
        }
        Map<String, Object> map = new TreeMap<>();
        for (int i = size(2); i > 0; i--) {
          map.put(text(), value(contents[1]));
        }
        return map;
      }
      if (type == OptionalLong.class) {
        return size(1) == 0 ? OptionalLong.empty() : OptionalLong.of(number());
      }
      if (type == OptionalInt.class) {
        return size(1) == 0 ? OptionalInt.empty() : OptionalInt.of((int) number());
      }
      if (type == long.class || type == Long.class) {
        return number();
      }
      if (type == int.class) {
        return (int) number();
      }
      if (type == double.class) {
        return number() / 2.0;
      }
      if (type == boolean.class) {
        return size(1) == 1;
      }
      if (type == String.class) {
        return text();
      }
      return type == Object.class ? number() : record((Class<?>) type);
    }

    private Object record(Class<?> type) {
      depth++;
      Object[] values =
          Arrays.stream(components(type)).map(each -> value(each.getGenericType())).toArray();
      depth--;
      return make(type, values);
    }

    abstract int size(int most);

    abstract long number();

    abstract String text();
  }

  /** Fills everything with values that differ. */
  private static final class Filled extends Source {
    private int count;

    @Override
    int size(int most) {
      return most;
    }

    @Override
    long number() {
      return ++count;
    }

    @Override
    String text() {
      return "t" + ++count;
    }
  }

  /** Draws from few values. */
  private static final class Drawn extends Source {
    private final SplittableRandom random;

    Drawn(SplittableRandom random) {
      this.random = random;
    }

    @Override
    int size(int most) {
      return random.nextInt(most + 1);
    }

    @Override
    long number() {
      return random.nextInt(-1, 2);
    }

    @Override
    String text() {
      return random.nextBoolean() ? "a" : "b";
    }
  }

  private static RecordComponent[] components(Class<?> type) {
    return COMPONENTS.computeIfAbsent(type, Class::getRecordComponents);
  }

  private static Object make(Class<?> type, Object[] values) {
    try {
      return type.getDeclaredConstructor(
              Arrays.stream(components(type))
                  .map(RecordComponent::getType)
                  .toArray(Class<?>[]::new))
          .newInstance(values);
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Adds all values that differ from a value in one place. */
  private static void mutate(String path, Object value, Type type, Map<String, Object> variants) {
    if (value instanceof Record structure) {
      RecordComponent[] components = components(structure.getClass());
      Object[] values = new Object[components.length];
      try {
        for (int i = 0; i < values.length; i++) {
          values[i] = components[i].getAccessor().invoke(structure);
        }
      } catch (ReflectiveOperationException impossible) {
        throw new IllegalStateException(impossible);
      }
      for (int i = 0; i < values.length; i++) {
        Map<String, Object> of = new TreeMap<>();
        mutate(path + "." + components[i].getName(), values[i], components[i].getGenericType(), of);
        Object original = values[i];
        for (Map.Entry<String, Object> each : of.entrySet()) {
          values[i] = each.getValue();
          variants.put(each.getKey(), make(structure.getClass(), values.clone()));
        }
        values[i] = original;
      }
    } else if (value instanceof List<?> list) {
      variants.put(path + " empty", List.of());
      for (int i = 0; i < list.size(); i++) {
        Map<String, Object> of = new TreeMap<>();
        mutate(path + "[" + i + "]", list.get(i), type, of);
        for (Map.Entry<String, Object> each : of.entrySet()) {
          List<Object> changed = new ArrayList<>(list);
          changed.set(i, each.getValue());
          variants.put(each.getKey(), changed);
        }
      }
    } else if (value instanceof Map<?, ?> map) {
      variants.put(path + " empty", Map.of());
      map.forEach(
          (key, content) -> {
            Map<String, Object> of = new TreeMap<>();
            mutate(path + "{" + key + "}", content, type, of);
            of.forEach(
                (place, other) -> {
                  Map<Object, Object> changed = new HashMap<>(map);
                  changed.put(key, other);
                  variants.put(place, changed);
                });
            Map<Object, Object> renamed = new HashMap<>(map);
            renamed.remove(key);
            renamed.put(key + "'", content);
            variants.put(path + "{" + key + " renamed}", renamed);
          });
    } else if (value instanceof Optional<?> optional) {
      variants.put(path + " absent", Optional.empty());
      Map<String, Object> of = new TreeMap<>();
      mutate(path, optional.orElseThrow(), type, of);
      of.forEach((place, other) -> variants.put(place, Optional.of(other)));
    } else if (value instanceof OptionalLong optional) {
      variants.put(path + " absent", OptionalLong.empty());
      variants.put(path, OptionalLong.of(optional.getAsLong() + 1000));
    } else if (value instanceof OptionalInt optional) {
      variants.put(path + " absent", OptionalInt.empty());
      variants.put(path, OptionalInt.of(optional.getAsInt() + 1000));
    } else if (value instanceof Long number) {
      variants.put(path, number + 1000);
    } else if (value instanceof Integer number) {
      variants.put(path, number + 1000);
    } else if (value instanceof Double number) {
      variants.put(path, number + 1000);
    } else if (value instanceof Boolean flag) {
      variants.put(path, !flag);
    } else {
      variants.put(path, value + "'");
    }
  }
}
