package dev.berth.core;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Loads providers of plugins and calls their code, for the registries of policies, formats and
 * studies. Whatever a provider does wrong is an {@link IllegalStateException} that names its jar.
 */
public final class Providers {

  private static final String IN_JAR = "jar:";
  private static final String OURS = "dev.berth.";

  /** The parts of Berth: what follows {@link #OURS} in the names of its packages. */
  private static final Set<String> PARTS =
      Set.of(
          "api",
          "benchmarks",
          "cli",
          "core",
          "experiments",
          "json",
          "policies",
          "replay",
          "report",
          "runtime",
          "simulator",
          "testkit",
          "traces");

  private Providers() {}

  /**
   * Creates the providers of a service, in the order in which they are found.
   *
   * @param kind of the plugins, for messages: {@code "policy"}
   * @param service the type of the providers
   * @param found the providers; the module of the caller declares that it uses the service
   * @param loader the class loader that finds them
   * @throws IllegalStateException if one cannot be created, its class is in several jars, or its
   *     class is in a package of Berth but not part of Berth
   */
  public static <S> List<S> load(
      String kind, Class<S> service, ServiceLoader<S> found, ClassLoader loader) {
    List<S> providers = new ArrayList<>();
    try {
      for (Iterator<S> each = found.iterator(); each.hasNext(); ) {
        providers.add(each.next());
      }
    } catch (ServiceConfigurationError | LinkageError | StackOverflowError broken) {
      String cause = broken.getCause() == null ? "" : " (" + text(broken.getCause()) + ")";
      throw new IllegalStateException(
          "a %s provider cannot be created: %s%s. Providers are listed in %s."
              .formatted(
                  kind, broken.getMessage(), cause, String.join(", ", services(service, loader))),
          broken);
    }
    providers.forEach(each -> check(each, loader));
    return providers;
  }

  private static List<String> services(Class<?> service, ClassLoader loader) {
    try {
      return Collections.list(loader.getResources("META-INF/services/" + service.getName()))
          .stream()
          .map(Providers::path)
          .toList();
    } catch (IOException unreadable) {
      return List.of("a jar that cannot be read: " + unreadable.getMessage());
    }
  }

  /**
   * Checks where a part of a plugin comes from.
   *
   * @param part a provider, or what it provides
   * @param loader the class loader that finds plugins
   * @throws IllegalStateException if the class loader finds its class in several jars, or the class
   *     is in a package of Berth but not part of Berth
   */
  public static void check(Object part, ClassLoader loader) {
    requireOwnPackage(part);
    Class<?> type = part.getClass();
    Set<String> places;
    try {
      places =
          Collections.list(loader.getResources(type.getName().replace('.', '/') + ".class"))
              .stream()
              .map(Providers::path)
              .collect(Collectors.toCollection(TreeSet::new));
    } catch (IOException unreadable) {
      return; // the class itself could be read
    }
    if (places.size() > 1) {
      throw new IllegalStateException(
          "the class %s is in several places: %s. Maybe remove all but one jar."
              .formatted(type.getName(), String.join(", ", places)));
    }
  }

  /** Refuses classes of others in packages of Berth. */
  static void requireOwnPackage(Object part) {
    if (isInOurPackages(part) && !isOurs(part.getClass())) {
      throw new IllegalStateException(
          "%s is in a package of Berth, but no part of it. Maybe name the package com.acme."
              .formatted(describe(part)));
    }
  }

  static boolean isInOurPackages(Object part) {
    return (part.getClass().getPackageName() + ".").startsWith(OURS);
  }

  /**
   * Returns whether a class is loaded with this one, and in a package that Berth has. Jars are not
   * signed, so no class can prove more.
   */
  private static boolean isOurs(Class<?> type) {
    String rest = (type.getPackageName() + ".").substring(OURS.length());
    String part = rest.substring(0, Math.max(0, rest.indexOf('.')));
    Module module = type.getModule();
    Module core = Providers.class.getModule();
    boolean together =
        type.getClassLoader() == Providers.class.getClassLoader()
            || (core.isNamed() && module.isNamed() && module.getLayer() == core.getLayer());
    return together && PARTS.contains(part);
  }

  /**
   * Calls a plugin.
   *
   * @param part the plugin
   * @param method the method that is called, for messages: {@code "id()"}
   * @throws IllegalStateException if the call throws anything but an {@link OutOfMemoryError}, or
   *     returns null
   */
  public static <T> T call(Object part, String method, Supplier<@Nullable T> call) {
    T result;
    try {
      result = call.get();
    } catch (OutOfMemoryError full) {
      throw full;
    } catch (Throwable broken) { // also errors, and exceptions that the method does not declare
      throw new IllegalStateException(
          "%s fails in %s: %s".formatted(describe(part), method, text(broken)), broken);
    }
    if (result == null) {
      throw new IllegalStateException(
          "%s returns null from %s, must return a value.".formatted(describe(part), method));
    }
    return result;
  }

  private static String text(Throwable failure) {
    try {
      return String.valueOf(failure);
    } catch (RuntimeException | StackOverflowError worse) { // of its message
      return failure.getClass().getName();
    }
  }

  /** Returns the class of a part of a plugin, and the jar it comes from if that is known. */
  static String describe(Object part) {
    return part.getClass().getName() + place(part);
  }

  /**
   * Returns {@code " in JAR"} for a part of a plugin; empty for parts of Berth, or if the jar is
   * unknown.
   */
  public static String jar(Object part) {
    return isInOurPackages(part) ? "" : place(part);
  }

  private static String place(Object part) {
    CodeSource source = part.getClass().getProtectionDomain().getCodeSource();
    return source == null || source.getLocation() == null
        ? ""
        : " in " + path(source.getLocation());
  }

  /**
   * Returns the path of a file or of a jar's entry, as a user writes it; other URLs as they are.
   */
  private static String path(URL location) {
    String url = location.toString();
    int entry = url.startsWith(IN_JAR) ? url.indexOf("!/") : -1;
    String file = entry < 0 ? url : url.substring(IN_JAR.length(), entry);
    try {
      return Path.of(URI.create(file)) + (entry < 0 ? "" : url.substring(entry));
    } catch (IllegalArgumentException | FileSystemNotFoundException noFile) {
      return url;
    }
  }
}
