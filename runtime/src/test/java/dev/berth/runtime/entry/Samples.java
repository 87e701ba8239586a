package dev.berth.runtime.entry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Backoff;
import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.MemoryProfile;
import dev.berth.api.Moldability;
import dev.berth.api.PerformanceMemoryProfile;
import dev.berth.api.PlacementSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedHost;
import dev.berth.api.fleet.ObservedInstance;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Random values of any type that entries contain, among them extreme ones. */
public final class Samples {

  /** Returns the records of a sealed interface, also of those that extend it. */
  public static Set<Class<?>> recordsOf(Class<?> sealed) {
    Set<Class<?>> records = new LinkedHashSet<>();
    for (Class<?> each : sealed.getPermittedSubclasses()) {
      if (each.isSealed()) {
        records.addAll(recordsOf(each));
      } else {
        records.add(each);
      }
    }
    return records;
  }

  private static final List<String> TEXTS =
      List.of(
          "a",
          "b",
          "h1",
          "7",
          "17",
          "",
          " ",
          "r-123456",
          "½ ☃ 😀",
          "type",
          "\"\\\n\0",
          "x".repeat(300));

  private final SplittableRandom random;

  /** Creates samples, which are the same for the same seed. */
  public Samples(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** Returns a random value of a type. */
  public <T> T next(Class<T> type) {
    return type.cast(of(type));
  }

  /** Returns a random value of a type, or an empty collection of a raw type. */
  public Object nextOf(Class<?> type) {
    return type == List.class ? List.of() : type == Optional.class ? Optional.empty() : of(type);
  }

  private Object of(Type type) {
    if (type instanceof ParameterizedType generic) {
      return ofGeneric((Class<?>) generic.getRawType(), generic.getActualTypeArguments());
    }
    Class<?> raw = (Class<?>) type;
    if (raw.isRecord()) {
      return attempt(() -> record(raw));
    }
    if (raw.isEnum()) {
      return oneOf(Arrays.asList(raw.getEnumConstants()));
    }
    if (raw.isSealed()) {
      return of(oneOf(Arrays.asList(raw.getPermittedSubclasses())));
    }
    return switch (raw.getSimpleName()) {
      case "String" -> text();
      case "long" -> number();
      case "int" -> integer();
      case "boolean" -> random.nextBoolean();
      case "double" -> fraction();
      case "Duration" -> duration();
      case "OptionalLong" ->
          random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(number());
      case "OptionalInt" -> random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(integer());
      case "OptionalDouble" ->
          random.nextBoolean() ? OptionalDouble.empty() : OptionalDouble.of(fraction());
      case "Resources" -> resources();
      case "Request" -> attempt(this::request);
      case "ServiceClass" -> attempt(this::serviceClass);
      case "MemoryProfile" ->
          MemoryProfile.of(
              IntStream.range(0, 1 + random.nextInt(4))
                  .mapToObj(i -> new MemoryProfile.Step(i * 1000L, natural()))
                  .toList());
      case "PerformanceMemoryProfile" ->
          PerformanceMemoryProfile.of(
              IntStream.range(0, 1 + random.nextInt(4))
                  .mapToObj(i -> new PerformanceMemoryProfile.Point(i * 7L, 90_000_000_000L - i))
                  .toList());
      default -> throw new AssertionError("no samples of " + raw);
    };
  }

  private Object ofGeneric(Class<?> raw, Type[] contents) {
    if (raw == Optional.class) {
      return random.nextBoolean() ? Optional.empty() : Optional.of(of(contents[0]));
    }
    if (raw == List.class || raw == Set.class) {
      List<Object> list = new ArrayList<>();
      for (int i = random.nextInt(4); i > 0; i--) {
        list.add(of(contents[0]));
      }
      return raw == List.class ? list : new LinkedHashSet<>(list);
    }
    if (raw == Map.class) {
      Map<Object, Object> map = new LinkedHashMap<>();
      for (int i = random.nextInt(4); i > 0; i--) {
        map.put(of(contents[0]), of(contents[1]));
      }
      return map;
    }
    return of(raw);
  }

  private interface Maker {
    Object make() throws ReflectiveOperationException;
  }

  /** Tries until the constructors accept the random values. */
  private static Object attempt(Maker maker) {
    for (int i = 0; i < 20_000; i++) {
      try {
        return maker.make();
      } catch (InvocationTargetException refused) {
        if (!(refused.getCause() instanceof IllegalArgumentException)) {
          throw new AssertionError(refused.getCause());
        }
      } catch (ReflectiveOperationException hidden) {
        throw new LinkageError(hidden.getMessage(), hidden);
      } catch (IllegalArgumentException refused) { // by a builder
        assertThat(refused).hasMessageNotContaining("null");
      }
    }
    throw new AssertionError("no value was accepted");
  }

  private Object record(Class<?> type) throws ReflectiveOperationException {
    if (type == Moldability.class) {
      return moldability();
    }
    if (type == Dimension.class) {
      return dimension(random.nextInt(3));
    }
    if (type == Observation.class) {
      return observation();
    }
    if (type == Backoff.class) {
      Duration first = Duration.ofNanos(1 + random.nextLong(1_000_000_000_000L));
      return new Backoff(
          first,
          1 + random.nextDouble(),
          first.plusNanos(random.nextLong(9)),
          1 + random.nextInt(9));
    }
    RecordComponent[] components = type.getRecordComponents();
    Constructor<?> constructor =
        type.getConstructor(
            Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
    return constructor.newInstance(
        Arrays.stream(components).map(each -> of(each.getGenericType())).toArray());
  }

  private <T> T oneOf(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  private String text() {
    return random.nextInt(3) == 0 ? oneOf(TEXTS) : "id-" + random.nextInt(1000);
  }

  private long number() {
    return switch (random.nextInt(6)) {
      case 0 -> random.nextLong();
      case 1 -> oneOf(List.of(Long.MIN_VALUE, Long.MAX_VALUE, -1L, 0L, 1L, 1L << 32, -(1L << 31)));
      default -> random.nextLong(1, 10_000_000_000_000L);
    };
  }

  private long natural() {
    return random.nextBoolean() ? random.nextLong(10) : random.nextLong(Long.MAX_VALUE);
  }

  private int integer() {
    return switch (random.nextInt(6)) {
      case 0 -> random.nextInt();
      case 1 -> oneOf(List.of(Integer.MIN_VALUE, Integer.MAX_VALUE, -1, 0));
      default -> 1 + random.nextInt(100);
    };
  }

  private double fraction() {
    return random.nextBoolean()
        ? random.nextDouble()
        : oneOf(
            List.of(
                0.0, -0.0, 1.0, 1.25, Double.NaN, Double.POSITIVE_INFINITY, -1e300, 1e-320, 2.0));
  }

  private Duration duration() {
    return switch (random.nextInt(8)) {
      case 0 -> Duration.ZERO;
      case 1 -> Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
      case 2 -> Duration.ofSeconds(Long.MIN_VALUE, 1);
      case 3 -> Duration.ofNanos(random.nextLong());
      default -> Duration.ofMillis(random.nextLong(1, 1_000_000));
    };
  }

  private Dimension dimension(int index) {
    return switch (index) {
      case 0 -> Dimension.CPU;
      case 1 -> Dimension.MEMORY;
      default -> new Dimension(oneOf(List.of("gpu", "7", "½")), random.nextLong(1, 3));
    };
  }

  private Resources resources() {
    Resources.Builder builder = Resources.builder();
    for (int i = 0; i < 3; i++) {
      if (random.nextBoolean()) {
        builder.put(dimension(i), natural());
      }
    }
    return builder.build();
  }

  /** Returns an observation of instances that are on the observed hosts. */
  private Observation observation() {
    List<ObservedHost> hosts = new ArrayList<>();
    List<ObservedInstance> instances = new ArrayList<>();
    Set<String> underWay = new LinkedHashSet<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      HostSpec any = next(HostSpec.class);
      String id = any.id() + i;
      hosts.add(
          new ObservedHost(
              new HostSpec(id, any.capacity(), any.attributes(), any.timeShared(), any.taints()),
              resources()));
      for (int j = random.nextInt(3); j > 0; j--) {
        ObservedInstance each = next(ObservedInstance.class);
        instances.add(
            new ObservedInstance(
                text() + i + j, id, each.state(), each.attempt(), each.since(), each.holds()));
        underWay.add(text());
      }
    }
    return new Observation(hosts, instances, underWay);
  }

  private Moldability moldability() {
    List<Moldability.Point> points = new ArrayList<>(List.of(new Moldability.Point(1, 1)));
    for (int i = random.nextInt(4); i > 0; i--) {
      points.add(new Moldability.Point(0.1 * i, 10 - i + 0.3));
    }
    return new Moldability(points);
  }

  private ServiceClass serviceClass() {
    ServiceClass.Builder builder =
        ServiceClass.builder(text())
            .slo(random.nextLong(1_000_000, 1_000_000_001) / 1e9)
            .importance(1 + random.nextInt(5));
    if (random.nextBoolean()) {
      builder.safetyMargin(Duration.ofNanos(random.nextLong(1_000_000_000_000L)));
    }
    if (random.nextBoolean()) {
      builder.preemptionOverheadLimit(random.nextDouble());
    }
    return builder.build();
  }

  private Request request() {
    Resources demand = resources();
    Request.Builder builder = Request.builder(text(), text()).demand(demand);
    if (random.nextInt(3) == 0) {
      return builder.build();
    }
    if (random.nextBoolean()) {
      builder.guaranteed(random.nextBoolean() ? Resources.none() : part(demand));
    }
    if (random.nextBoolean()) {
      builder.job(text()).antiAffinity(random.nextBoolean());
    }
    if (random.nextBoolean()) {
      builder.application(text()).user(text());
    }
    if (random.nextBoolean()) {
      builder.payload(text());
    }
    if (random.nextInt(4) == 0) {
      builder.after("1" + text()).after("2" + text());
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      builder.label(text(), text());
      builder.constraint(next(Constraint.class));
    }
    if (random.nextBoolean()) {
      builder.placement(next(PlacementSpec.class));
    }
    if (random.nextBoolean()) {
      builder.estimatedRunTime(Duration.ofNanos(1 + natural() / 2));
      builder.deadline(Duration.ofNanos(1 + natural() / 2));
      builder.maxRunTime(Duration.ofNanos(1 + natural() / 2));
    }
    if (random.nextBoolean()) {
      builder.moldability(next(Moldability.class));
    }
    if (random.nextBoolean()) {
      builder.memoryProfile(next(MemoryProfile.class));
      builder.performanceMemoryProfile(next(PerformanceMemoryProfile.class));
    }
    return builder.build();
  }

  private static Resources part(Resources whole) {
    Resources.Builder builder = Resources.builder();
    whole.dimensions().forEach(each -> builder.put(each, whole.amount(each) / 2));
    return builder.build();
  }
}
