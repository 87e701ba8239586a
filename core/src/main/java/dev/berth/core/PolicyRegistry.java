package dev.berth.core;

import dev.berth.api.policy.PolicyFactory;
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

/** The policies that can be had by id. Immutable and thread-safe. */
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
                .formatted(id, whereabouts(other), whereabouts(factory)));
      }
    }
  }

  /** Finds the policies that the class loader of the calling thread sees. */
  public static PolicyRegistry load() {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return load(loader == null ? PolicyRegistry.class.getClassLoader() : loader);
  }

  /**
   * Finds the policies that a class loader sees, by {@link ServiceLoader}.
   *
   * @throws IllegalStateException if two policies have one id, an id is not well formed, or a
   *     factory cannot be made; the message names the jars
   */
  public static PolicyRegistry load(ClassLoader loader) {
    List<PolicyFactory<?>> found = new ArrayList<>();
    try {
      for (PolicyFactory<?> each : ServiceLoader.load(PolicyFactory.class, loader)) {
        found.add(each);
      }
    } catch (ServiceConfigurationError broken) {
      String cause = broken.getCause() == null ? "" : " (" + broken.getCause() + ")";
      throw new IllegalStateException(
          "a jar offers a policy that cannot be made: %s%s. Policies are offered by %s."
              .formatted(broken.getMessage(), cause, String.join(", ", offers(loader))),
          broken);
    }
    return new PolicyRegistry(found);
  }

  private static List<String> offers(ClassLoader loader) {
    try {
      return Collections.list(
              loader.getResources("META-INF/services/" + PolicyFactory.class.getName()))
          .stream()
          .map(URL::toString)
          .toList();
    } catch (IOException unreadable) {
      return List.of("a jar that cannot be read: " + unreadable.getMessage());
    }
  }

  /** Returns a registry of just these policies. */
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
   * @throws UnknownPolicyException if there is none; the message lists those that there are
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
              .formatted(whereabouts(factory), id, MAX_ID_LENGTH));
    }
    boolean ours = factory.getClass().getPackageName().startsWith("dev.berth.");
    if (!ours && id.indexOf('.') < 0) {
      throw new IllegalStateException(
          "%s has the id \"%s\", ids without a dot belong to Berth. Maybe \"acme.%s\"."
              .formatted(whereabouts(factory), id, id));
    }
  }

  private static String whereabouts(PolicyFactory<?> factory) {
    CodeSource source = factory.getClass().getProtectionDomain().getCodeSource();
    return factory.getClass().getName()
        + (source == null || source.getLocation() == null ? "" : " in " + source.getLocation());
  }
}
