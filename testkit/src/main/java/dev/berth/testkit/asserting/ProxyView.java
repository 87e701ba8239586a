package dev.berth.testkit.asserting;

import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.Pool;
import dev.berth.api.batch.Bag;
import dev.berth.api.pipeline.AllocationScore.Fit;
import dev.berth.api.pipeline.PreemptionPair;
import dev.berth.api.policy.SchedulingPass;
import dev.berth.testkit.rule.Rule;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * An object that a policy or a part may use for a limited time: a pass, instance, host, pool, bag,
 * fit or pair. Each call is checked and counted, and what it returns is a view too. Equal to other
 * views of the same object. Only {@link #toString} may be called at any time and on any thread, for
 * messages and debuggers.
 */
record ProxyView(Scope scope, Object raw, String label, Taboo taboo) implements InvocationHandler {

  /** The methods that return several instances, hosts, pools or bags. */
  private static final Map<Method, Boolean> OF_VIEWS = new ConcurrentHashMap<>();

  private static final Taboo NOTHING = new Taboo(Set.of(), "");
  private static final Taboo BESIDES_AMOUNTS =
      new Taboo(Set.of("now", "host", "instance"), "a ResourceScore must ask for resources only");
  private static final Taboo OF_BENEFICIARY =
      new Taboo(
          Set.of("beneficiary", "beneficiaryClassRank", "beneficiaryValue"),
          "a VictimCost must not ask for the beneficiary");

  /** Methods that must not be called, and the rule that says so. */
  private record Taboo(Set<String> methods, String rule) {}

  /**
   * Returns a view.
   *
   * @param label what it is, for messages: {@code "instance r1"}
   */
  static <T> T of(Class<T> type, Scope scope, T raw, String label) {
    return of(type, new ProxyView(scope, raw, label, NOTHING));
  }

  /**
   * Returns a fit that is valid during one call.
   *
   * @param amountsOnly whether the score declares that it reads resources only
   */
  static Fit fit(Scope scope, Fit raw, boolean amountsOnly) {
    return of(
        Fit.class, new ProxyView(scope, raw, "the fit", amountsOnly ? BESIDES_AMOUNTS : NOTHING));
  }

  /**
   * Returns a pair that is valid during one call.
   *
   * @param victimsOnly whether the beneficiary must not be read
   */
  static PreemptionPair pair(Scope scope, PreemptionPair raw, boolean victimsOnly) {
    return of(
        PreemptionPair.class,
        new ProxyView(scope, raw, "the pair", victimsOnly ? OF_BENEFICIARY : NOTHING));
  }

  private static <T> T of(Class<T> type, ProxyView view) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, view));
  }

  /** Returns the engine's own object; an object that is no view unchanged. */
  @SuppressWarnings("unchecked") // a view stands for an object of its type
  static <T> T unwrap(T object) {
    ProxyView view = viewBehind(object);
    if (view == null) {
      return object;
    }
    view.check();
    return (T) view.raw;
  }

  private static @Nullable ProxyView viewBehind(@Nullable Object object) {
    return object instanceof Proxy && Proxy.getInvocationHandler(object) instanceof ProxyView behind
        ? behind
        : null;
  }

  /** Checks the use of an answer. */
  void check(String call) {
    if (!scope.isOpen()) {
      throw scope.misused(call + " of " + label);
    }
  }

  /** Checks a use without a question. */
  private void check() {
    if (!scope.isOpen()) {
      throw scope.misused(label);
    }
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    if (method.getDeclaringClass() == Object.class) {
      return asObject(method.getName(), arguments);
    }
    String call = method.getName() + "()";
    check(call);
    scope.count(1);
    if (taboo.methods.contains(method.getName())) {
      throw scope.broken(Rule.P25.broken("%s, but it asks %s of %s", taboo.rule, call, label));
    }
    Object[] given = arguments == null ? new Object[0] : arguments.clone();
    for (int i = 0; i < given.length; i++) {
      given[i] =
          given[i] instanceof List<?> several
              ? several.stream().map(each -> ProxyView.<Object>unwrap(each)).toList()
              : unwrap(given[i]);
    }
    try {
      return shown(call, method, method.invoke(raw, given));
    } catch (InvocationTargetException failed) {
      throw failed.getCause();
    }
  }

  private Object asObject(String method, Object @Nullable [] arguments) {
    if (method.equals("toString")) {
      return raw.toString();
    }
    check();
    if (method.equals("hashCode")) {
      return raw.hashCode();
    }
    ProxyView other = arguments == null ? null : viewBehind(arguments[0]);
    if (other == null) {
      return false;
    }
    other.check();
    return raw == other.raw;
  }

  private @Nullable Object shown(String call, Method method, @Nullable Object answer) {
    if (answer instanceof Optional<?> maybe) {
      return maybe.map(this::view);
    } else if (answer instanceof Set<?> unordered) {
      return Collections.unmodifiableSet(new LinkedHashSet<>(scope.inNoOrder(unordered)));
    } else if (answer instanceof Collection<?> several && ofViews(method)) {
      boolean ordered = List.class.isAssignableFrom(method.getReturnType());
      scope.count(several.size());
      List<?> elements = ordered ? List.copyOf(several) : scope.inNoOrder(several);
      return new AssertingList<>(this, call, elements.stream().map(this::view).toList());
    } else if (answer instanceof RandomGenerator draws) {
      RandomGenerator checked =
          () -> {
            check(call);
            return draws.nextLong();
          };
      return checked;
    } else if (answer instanceof SchedulingPass.Fork fork) {
      return of(SchedulingPass.Fork.class, scope, fork, "a fork of " + scope.name());
    }
    return answer == null ? null : view(answer);
  }

  private static boolean ofViews(Method method) {
    return OF_VIEWS.computeIfAbsent(
        method,
        each ->
            each.getGenericReturnType() instanceof ParameterizedType type
                && type.getActualTypeArguments()[0] instanceof Class<?> element
                && Set.of(Instance.class, Host.class, Pool.class, Bag.class).contains(element));
  }

  private Object view(Object answer) {
    if (answer instanceof Instance instance) {
      return scope.instance(instance);
    } else if (answer instanceof Host host) {
      return scope.host(host);
    } else if (answer instanceof Pool pool) {
      return scope.view(Pool.class, pool, () -> "pool " + pool.name());
    } else if (answer instanceof Bag bag) {
      return scope.view(Bag.class, bag, () -> "bag " + bag.id());
    }
    return answer;
  }
}
