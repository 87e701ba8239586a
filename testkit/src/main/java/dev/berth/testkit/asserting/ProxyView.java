package dev.berth.testkit.asserting;

import dev.berth.api.Bag;
import dev.berth.api.Host;
import dev.berth.api.Instance;
import dev.berth.api.Pool;
import dev.berth.api.policy.SchedulingPass;
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
 * A pass, instance, host, pool or bag with limited validity: each call is checked and counted, and
 * what it returns is a view too. Equal to other views of the same object.
 */
final class ProxyView extends View implements InvocationHandler {

  /** The methods that return several instances, hosts, pools or bags. */
  private static final Map<Method, Boolean> OF_VIEWS = new ConcurrentHashMap<>();

  private final Object raw;
  private final String label;

  private ProxyView(Scope scope, Object raw, String label) {
    super(scope);
    this.raw = raw;
    this.label = label;
  }

  /**
   * Returns a view.
   *
   * @param label what it is, for messages: {@code "instance r1"}
   */
  static <T> T of(Class<T> type, Scope scope, T raw, String label) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(), new Class<?>[] {type}, new ProxyView(scope, raw, label)));
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

  @Override
  String label() {
    return label;
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    if (method.getDeclaringClass() == Object.class) {
      return asObject(method.getName(), arguments);
    }
    String call = method.getName() + "()";
    ask(call);
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
      return Collections.unmodifiableSet(new LinkedHashSet<>(scope().inNoOrder(unordered)));
    } else if (answer instanceof Collection<?> several && ofViews(method)) {
      boolean ordered = List.class.isAssignableFrom(method.getReturnType());
      return answer(call, ordered ? List.copyOf(several) : scope().inNoOrder(several), this::view);
    } else if (answer instanceof RandomGenerator draws) {
      RandomGenerator checked =
          () -> {
            check(call);
            return draws.nextLong();
          };
      return checked;
    } else if (answer instanceof SchedulingPass.Fork fork) {
      return of(SchedulingPass.Fork.class, scope(), fork, "a fork of " + scope().name());
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
      return scope().instance(instance);
    } else if (answer instanceof Host host) {
      return scope().host(host);
    } else if (answer instanceof Pool pool) {
      return scope().pool(pool);
    } else if (answer instanceof Bag bag) {
      return scope().bag(bag);
    }
    return answer;
  }
}
