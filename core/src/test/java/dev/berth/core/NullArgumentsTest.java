package dev.berth.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.berth.api.Backoff;
import dev.berth.api.Constraint;
import dev.berth.api.Dimension;
import dev.berth.api.DisruptionBudget;
import dev.berth.api.Drain;
import dev.berth.api.History;
import dev.berth.api.Host;
import dev.berth.api.HostSpec;
import dev.berth.api.Instance;
import dev.berth.api.InstanceState;
import dev.berth.api.MemoryProfile;
import dev.berth.api.Moldability;
import dev.berth.api.PerformanceMemoryProfile;
import dev.berth.api.PlacementSpec;
import dev.berth.api.PoolSpec;
import dev.berth.api.Reason;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.api.Usage;
import dev.berth.api.batch.BagSpec;
import dev.berth.api.batch.GroupSpec;
import dev.berth.api.batch.GroupStatus;
import dev.berth.api.batch.InstanceReport;
import dev.berth.api.fleet.Adoption;
import dev.berth.api.fleet.Observation;
import dev.berth.api.fleet.ObservedInstance;
import dev.berth.api.fleet.Reconciler;
import dev.berth.api.pipeline.Molding;
import dev.berth.api.plan.ActionId;
import dev.berth.api.plan.Attempt;
import dev.berth.api.policy.Outcome;
import dev.berth.api.policy.PipelineBuilder;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.core.config.Durations;
import dev.berth.core.decision.DecisionLog;
import dev.berth.core.event.Event;
import dev.berth.core.explain.Explainer;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A null argument of any public entry throws an exception that names the parameter. */
class NullArgumentsTest {

  private static final Cluster CLUSTER = Cluster.byHand().host("h1", 4).running("r1", 1, "h1");
  private static final Set<String> OF_OBJECTS = Set.of("equals", "compareTo");

  /** Values of the types of parameters. */
  private static final Map<Class<?>, Object> SAMPLES = new HashMap<>();

  static {
    SAMPLES.put(Event.class, new Event.HostRemoved("h1"));
    Request request = Cluster.request("r2", 1).build();
    for (Object each :
        List.of(
            request,
            new HostSpec("h2", Cluster.cores(1)),
            new PoolSpec("p", Cluster.cores(1), 1),
            new BagSpec("b", List.of(request)),
            new GroupSpec("g", List.of(request)),
            Cluster.cores(1),
            new Attempt("a", 1),
            new ActionId(1, 0),
            new Backoff(Duration.ofSeconds(1), Duration.ofDays(1)),
            History.since(0),
            new Adoption(request, History.since(0)),
            new ObservedInstance("r2", "h1", InstanceState.RUNNING),
            new Observation(List.of(), List.of()),
            Cluster.GOLD,
            Drain.moving(),
            Dimension.CPU,
            MemoryProfile.constant(1),
            Moldability.LINPACK,
            PerformanceMemoryProfile.of(List.of(new PerformanceMemoryProfile.Point(1, 1))),
            new Constraint.Exists("zone"),
            new Reason.PolicyChoice("code", "text"),
            Duration.ofSeconds(1),
            BigDecimal.ONE,
            Molding.NONE,
            PolicyRegistry.of(),
            PlacementSpec.NONE,
            Cluster.of(parts -> parts).snapshotData(),
            "text")) {
      SAMPLES.put(each.getClass(), each);
    }
    SAMPLES.put(Reconciler.class, Reconciler.DEFAULT);
    SAMPLES.put(DisruptionBudget.class, DisruptionBudget.maxDown(1));
    SAMPLES.put(DisruptionBudget.Limit.class, DisruptionBudget.Limit.MIN_UP);
    SAMPLES.put(Record.class, Molding.NONE);
    SAMPLES.put(Constraint.class, new Constraint.Exists("zone"));
    SAMPLES.put(Reason.class, new Reason.PolicyChoice("code", "text"));
    SAMPLES.put(ServiceClass.class, Cluster.GOLD);
    SAMPLES.put(Instance.class, CLUSTER.instance("r1"));
    SAMPLES.put(Host.class, CLUSTER.host("h1"));
    SAMPLES.put(ServiceClass[].class, new ServiceClass[] {Cluster.GOLD});
    SAMPLES.put(ClassLoader.class, NullArgumentsTest.class.getClassLoader());
    SAMPLES.put(GroupSpec.OnLoss.class, GroupSpec.OnLoss.RESTORE);
    SAMPLES.put(List.class, List.of());
    SAMPLES.put(Collection.class, List.of());
    SAMPLES.put(Set.class, Set.of());
    SAMPLES.put(Map.class, Map.of());
    SAMPLES.put(Optional.class, Optional.empty());
    SAMPLES.put(OptionalLong.class, OptionalLong.empty());
    SAMPLES.put(long.class, 1L);
    SAMPLES.put(int.class, 1);
    SAMPLES.put(double.class, 1.0);
    SAMPLES.put(boolean.class, true);
  }

  /** An entry, its receiver, and the parameter that is null. */
  record Entry(Executable member, @Nullable Object receiver, int position) {
    @Override
    public String toString() {
      return "%s.%s(%s)"
          .formatted(
              member.getDeclaringClass().getSimpleName(),
              member.getName(),
              member.getParameters()[position].getName());
    }
  }

  static Stream<Entry> values() {
    Stream<Entry> created =
        Stream.of(
                HostSpec.class,
                PoolSpec.class,
                BagSpec.class,
                GroupSpec.class,
                GroupStatus.class,
                Dimension.class,
                DisruptionBudget.class,
                Usage.class,
                Moldability.class,
                Constraint.Equal.class,
                Constraint.NotEqual.class,
                Constraint.In.class,
                Constraint.LessThan.class,
                Constraint.GreaterThan.class,
                Constraint.Exists.class,
                InstanceReport.class,
                Reason.PolicyChoice.class)
            .flatMap(each -> Stream.of(each.getConstructors()))
            .flatMap(each -> entries(each, null));
    Stream<Entry> called =
        Stream.of(
                new Object[] {
                  Request.builder("r", "gold").demand(Resources.none()),
                  Resources.builder(),
                  Cluster.cores(1),
                  ServiceClass.builder("gold"),
                  Dimension.CPU,
                  Scheduler.builder(),
                  PolicyRegistry.of(),
                  PlacementSpec.NONE,
                  CLUSTER.scheduler(),
                })
            .flatMap(each -> methods(each, each.getClass()));
    Stream<Entry> implemented =
        Stream.concat(
            methods(CLUSTER.scheduler().explain(), Explainer.class),
            methods(CLUSTER.scheduler().decisions(), DecisionLog.class));
    Stream<Entry> statics =
        Stream.of(
                Request.class,
                Resources.class,
                MemoryProfile.class,
                PerformanceMemoryProfile.class,
                ServiceClass.class,
                InstanceReport.class,
                Outcome.class,
                Durations.class,
                PolicyRegistry.class)
            .flatMap(type -> Stream.of(type.getMethods()))
            .filter(each -> Modifier.isStatic(each.getModifiers()))
            .flatMap(each -> entries(each, null));
    return Stream.of(created, called, implemented, statics).flatMap(Function.identity());
  }

  private static Stream<Entry> methods(Object receiver, Class<?> type) {
    return Stream.of(type.getMethods())
        .filter(each -> each.getDeclaringClass() != Object.class)
        .filter(each -> !Modifier.isStatic(each.getModifiers()) && !each.isBridge())
        .filter(each -> !OF_OBJECTS.contains(each.getName()))
        .flatMap(each -> entries(each, receiver));
  }

  private static Stream<Entry> entries(Executable member, @Nullable Object receiver) {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < member.getParameterCount(); i++) {
      if (!member.getParameterTypes()[i].isPrimitive()) {
        entries.add(new Entry(member, receiver, i));
      }
    }
    return entries.stream();
  }

  @ParameterizedTest
  @MethodSource("values")
  void namesTheParameter(Entry entry) {
    refusesInWords(entry);
  }

  @Test
  void namesTheParametersOfAPass() {
    List<Entry> seen = new ArrayList<>();
    CLUSTER.pass(
        pass ->
            methods(pass, SchedulingPass.class)
                .peek(seen::add)
                .forEach(NullArgumentsTest::refusesInWords));
    assertThat(seen).hasSizeGreaterThan(40);
  }

  @Test
  void namesThePartsOfAPipeline() {
    List<Entry> seen = new ArrayList<>();
    Scheduler.builder()
        .serviceClasses(Cluster.GOLD)
        .policy(
            "test",
            context -> {
              methods(context.pipeline(), PipelineBuilder.class)
                  .peek(seen::add)
                  .forEach(NullArgumentsTest::refusesInWords);
              return pass -> {};
            })
        .build();
    assertThat(seen).hasSizeGreaterThan(12);
  }

  @Test
  void namesWhatACollectionHoldsThatIsNull() {
    Map<String, String> withoutValue = new LinkedHashMap<>();
    withoutValue.put("zone", null);
    assertThatNullPointerException()
        .isThrownBy(() -> new HostSpec("h", Resources.none(), withoutValue))
        .withMessageContaining("attributes had no value for zone");
    assertThatNullPointerException()
        .isThrownBy(() -> new BagSpec("b", Collections.singletonList(null)))
        .withMessageContaining("a request of bag b was null");
    assertThatNullPointerException()
        .isThrownBy(
            () ->
                Scheduler.builder()
                    .policy("test", context -> pass -> {})
                    .serviceClasses(Cluster.GOLD, null)
                    .build())
        .withMessage("service class");
  }

  @Test
  void changesNothing() {
    Cluster cluster = Cluster.byHand().host("h1", 4);
    Snapshot before = cluster.snapshot();

    assertThatNullPointerException()
        .isThrownBy(() -> cluster.scheduler().submit((Request) null, Cluster.SECOND));
    assertThatNullPointerException()
        .isThrownBy(() -> cluster.scheduler().addHost(null, Cluster.SECOND));

    assertThat(cluster.snapshot()).isEqualTo(before);
  }

  private static void refusesInWords(Entry entry) {
    Parameter[] parameters = entry.member().getParameters();
    Object[] arguments = Arrays.stream(parameters).map(each -> sample(each.getType())).toArray();
    arguments[entry.position()] = null;
    String name = parameters[entry.position()].getName();
    assertThat(catchThrowable(() -> invoke(entry, arguments)))
        .as("%s", entry)
        .isInstanceOf(NullPointerException.class)
        .hasMessage(name);
  }

  private static Object sample(Class<?> type) {
    if (SAMPLES.containsKey(type)) {
      return SAMPLES.get(type);
    }
    if (type.isInterface()) { // a part or function that is never called
      return Proxy.newProxyInstance(
          type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> null);
    }
    if (type.isEnum()) {
      return type.getEnumConstants()[0];
    }
    if (type.isArray()) {
      return java.lang.reflect.Array.newInstance(type.getComponentType(), 0);
    }
    throw new IllegalArgumentException("no sample of " + type);
  }

  private static void invoke(Entry entry, Object[] arguments) throws Throwable {
    try {
      if (entry.member() instanceof Constructor<?> constructor) {
        constructor.newInstance(arguments);
      } else {
        Method method = (Method) entry.member();
        method.setAccessible(true);
        method.invoke(entry.receiver(), arguments);
      }
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause();
    }
  }
}
