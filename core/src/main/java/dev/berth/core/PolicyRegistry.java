package dev.berth.core;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.PolicyProvider;
import dev.berth.core.error.UnknownPolicyException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The policies that a program can choose by id. Immutable and thread-safe. */
public final class PolicyRegistry {

  private static final Pattern ID = Pattern.compile("[a-z][a-z0-9]*([-.][a-z0-9]+)*");
  private static final int MAX_ID_LENGTH = 64;

  private final Map<String, PolicyFactory<?>> factories = new TreeMap<>();

  private PolicyRegistry(Collection<? extends PolicyFactory<?>> found) {
    for (PolicyFactory<?> factory : found) {
      Providers.requireOwnPackage(factory);
      String id = Providers.call(factory, "id()", factory::id);
      check(factory, id);
      PolicyFactory<?> other = factories.putIfAbsent(id, factory);
      if (other != null) {
        throw new IllegalStateException(
            "two policies have the id %s: %s and %s. Maybe one jar is on the class path twice."
                .formatted(id, Providers.describe(other), Providers.describe(factory)));
      }
    }
  }

  /**
   * Returns the policies that the context class loader of the calling thread sees; without such a
   * loader, those that the loader of this class sees.
   *
   * @throws IllegalStateException as {@link #load(ClassLoader)}
   */
  public static PolicyRegistry load() {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return load(loader == null ? PolicyRegistry.class.getClassLoader() : loader);
  }

  /**
   * Returns the policies of all {@linkplain PolicyProvider providers} that a class loader sees. A
   * {@link ServiceLoader} finds the providers.
   *
   * <p>Packages that begin with {@code dev.berth} belong to Berth. Its own policies are found only
   * beside this class: on the same class path, or in the same module layer.
   *
   * @throws IllegalStateException if two policies have the same id, an id is missing or not well
   *     formed, a provider or factory fails, its class is in several jars, or its package belongs
   *     to Berth; the message names the jars
   */
  public static PolicyRegistry load(ClassLoader loader) {
    Objects.requireNonNull(loader, "loader");
    List<PolicyFactory<?>> found = new ArrayList<>();
    for (PolicyProvider each :
        Providers.load(
            "policy",
            PolicyProvider.class,
            ServiceLoader.load(PolicyProvider.class, loader),
            loader)) {
      for (PolicyFactory<?> factory : factoriesOf(each)) {
        Providers.check(factory, loader);
        found.add(factory);
      }
    }
    return new PolicyRegistry(found);
  }

  private static List<PolicyFactory<?>> factoriesOf(PolicyProvider provider) {
    // Copying refuses nulls, which providers may return by mistake.
    return Providers.call(provider, "factories()", () -> List.copyOf(provider.factories()));
  }

  /**
   * Returns a registry of exactly these policies.
   *
   * @throws IllegalStateException if two policies have the same id or an id is not well formed
   */
  public static PolicyRegistry of(PolicyFactory<?>... factories) {
    Objects.requireNonNull(factories, "factories");
    return new PolicyRegistry(List.of(factories));
  }

  /** Returns the ids in ascending order; possibly empty. */
  public List<String> ids() {
    return List.copyOf(factories.keySet());
  }

  /**
   * Returns the factory with that id.
   *
   * @throws UnknownPolicyException if no policy has it; the message lists the known ids
   */
  public PolicyFactory<?> get(String id) {
    Objects.requireNonNull(id, "id");
    PolicyFactory<?> factory = factories.get(id);
    if (factory == null) {
      throw new UnknownPolicyException(id, ids());
    }
    return factory;
  }

  private static void check(PolicyFactory<?> factory, String id) {
    if (id.length() > MAX_ID_LENGTH || !ID.matcher(id).matches()) {
      throw new IllegalStateException(
          "%s has the id \"%s\", must be lower-case words joined by - or ., at most %s characters."
              .formatted(Providers.describe(factory), id, MAX_ID_LENGTH));
    }
    if (!Providers.isInOurPackages(factory) && !id.contains(".")) {
      throw new IllegalStateException(
          "%s has the id \"%s\", ids without a dot belong to Berth. Maybe \"acme.%s\"."
              .formatted(Providers.describe(factory), id, id));
    }
  }

  /** Returns the ids, for messages. */
  @Override
  public String toString() {
    return "policies " + ids();
  }
}
