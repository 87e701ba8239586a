package dev.berth.core;

import dev.berth.api.policy.PolicyFactory;
import dev.berth.api.policy.PolicyProvider;
import dev.berth.core.error.UnknownPolicyException;
import java.io.IOException;
import java.net.URL;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
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
      String id = factory.id();
      check(factory, id);
      PolicyFactory<?> other = factories.putIfAbsent(id, factory);
      if (other != null) {
        throw new IllegalStateException(
            "two policies have the id %s: %s and %s. Maybe one jar is on the class path twice."
                .formatted(id, describe(other), describe(factory)));
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
   * @throws IllegalStateException if two policies have the same id, an id is not well formed, or a
   *     provider cannot be created or fails; the message names the jars
   */
  public static PolicyRegistry load(ClassLoader loader) {
    List<PolicyFactory<?>> found = new ArrayList<>();
    try {
      for (PolicyProvider each : ServiceLoader.load(PolicyProvider.class, loader)) {
        found.addAll(factoriesOf(each));
      }
    } catch (ServiceConfigurationError broken) {
      String cause = broken.getCause() == null ? "" : " (" + broken.getCause() + ")";
      throw new IllegalStateException(
          "a policy provider cannot be created: %s%s. Providers are listed in %s."
              .formatted(broken.getMessage(), cause, String.join(", ", services(loader))),
          broken);
    }
    return new PolicyRegistry(found);
  }

  private static List<PolicyFactory<?>> factoriesOf(PolicyProvider provider) {
    try {
      return List.copyOf(
          provider.factories()); // refuses null, which providers may return by mistake
    } catch (RuntimeException | LinkageError broken) {
      throw new IllegalStateException(
          "the policy provider %s fails: %s".formatted(describe(provider), broken), broken);
    }
  }

  private static List<String> services(ClassLoader loader) {
    try {
      return Collections.list(
              loader.getResources("META-INF/services/" + PolicyProvider.class.getName()))
          .stream()
          .map(URL::toString)
          .toList();
    } catch (IOException unreadable) {
      return List.of("a jar that cannot be read: " + unreadable.getMessage());
    }
  }

  /**
   * Returns a registry of exactly these policies.
   *
   * @throws IllegalStateException if two policies have the same id or an id is not well formed
   */
  public static PolicyRegistry of(PolicyFactory<?>... factories) {
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
              .formatted(describe(factory), id, MAX_ID_LENGTH));
    }
    boolean ours = factory.getClass().getPackageName().startsWith("dev.berth.");
    if (!ours && !id.contains(".")) {
      throw new IllegalStateException(
          "%s has the id \"%s\", ids without a dot belong to Berth. Maybe \"acme.%s\"."
              .formatted(describe(factory), id, id));
    }
  }

  /** Returns the class of a provider or factory, and the jar it comes from if that is known. */
  private static String describe(Object part) {
    CodeSource source = part.getClass().getProtectionDomain().getCodeSource();
    return part.getClass().getName()
        + (source == null || source.getLocation() == null ? "" : " in " + source.getLocation());
  }
}
