package dev.berth.cli.session;

import dev.berth.cli.error.BadInputException;
import dev.berth.core.PolicyRegistry;
import dev.berth.core.error.NearestName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The available policies: the built-in ones, and those in the jars of the plugin directory.
 *
 * <p>Keeps the jars open until closed, since policies may load classes during a run. Until then,
 * the context class loader of the thread also sees the jars, so that the format {@code journal}
 * finds the policy that wrote a journal.
 */
public final class Policies implements AutoCloseable {

  /** What to do if a policy that was there before is missing. */
  public static final String MISSING_JAR =
      "Maybe its jar is missing: --plugins DIR names the folder.";

  private final URLClassLoader loader;
  private final PolicyRegistry registry;
  private final Thread thread = Thread.currentThread();
  private final @Nullable ClassLoader before = thread.getContextClassLoader();

  private Policies(URLClassLoader loader, PolicyRegistry registry) {
    this.loader = loader;
    this.registry = registry;
    thread.setContextClassLoader(loader);
  }

  /**
   * Finds the policies.
   *
   * @param plugins a directory with jars, or null for the built-in policies only
   * @throws BadInputException if the directory or one of its jars cannot be used
   */
  public static Policies open(@Nullable Path plugins) {
    URL[] jars = plugins == null ? new URL[0] : jarsIn(plugins);
    URLClassLoader loader = new URLClassLoader(jars, Policies.class.getClassLoader());
    try {
      return new Policies(loader, PolicyRegistry.load(loader));
    } catch (IllegalStateException | LinkageError unusable) {
      close(loader);
      if (plugins == null) {
        throw unusable;
      }
      throw new BadInputException(
          "--plugins \"%s\": %s".formatted(plugins, unusable.getMessage()), unusable);
    }
  }

  /** Returns what to do about an id that no policy has. */
  public static String hint(String id, PolicyRegistry registry) {
    String nearest = NearestName.hint(id, registry.ids());
    return nearest.isEmpty() ? MISSING_JAR : nearest;
  }

  private static URL[] jarsIn(Path plugins) {
    BadInputException.unless(
        Files.isDirectory(plugins),
        "--plugins \"%s\" %s, must be a directory with jars."
            .formatted(plugins, Files.exists(plugins) ? "is a file" : "does not exist"));
    List<Path> jars;
    try (Stream<Path> files = Files.list(plugins)) {
      jars =
          files
              .filter(file -> file.toString().toLowerCase(Locale.ROOT).endsWith(".jar"))
              .sorted()
              .toList();
    } catch (IOException | UncheckedIOException unreadable) {
      throw new BadInputException(
          "--plugins \"%s\" cannot be read, must be a directory with jars.".formatted(plugins),
          unreadable);
    }
    BadInputException.unless(
        !jars.isEmpty(),
        "--plugins \"%s\" has no jar in it, must be a directory with jars.".formatted(plugins));
    return jars.stream().map(Policies::url).toArray(URL[]::new);
  }

  /** Returns the URL of a jar. A class loader would silently ignore a broken jar. */
  private static URL url(Path jar) {
    // Opening a pipe could wait forever.
    BadInputException.unless(
        Files.isRegularFile(jar),
        "--plugins: \"%s\" is not a regular file, must be a jar.".formatted(jar));
    try {
      new JarFile(jar.toFile()).close();
      return jar.toUri().toURL();
    } catch (MalformedURLException impossible) {
      throw new IllegalStateException(impossible);
    } catch (IOException broken) {
      throw new BadInputException(
          "--plugins: \"%s\" is not a readable jar.".formatted(jar), broken);
    }
  }

  /** Returns the jars in the plugin directory; none if there is no directory. */
  public List<Path> jars() {
    return Arrays.stream(loader.getURLs()).map(Policies::path).toList();
  }

  private static Path path(URL jar) {
    try {
      return Path.of(jar.toURI());
    } catch (URISyntaxException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Returns the registry of the policies. */
  public PolicyRegistry registry() {
    return registry;
  }

  @Override
  public void close() {
    thread.setContextClassLoader(before);
    close(loader);
  }

  private static void close(URLClassLoader loader) {
    try {
      loader.close();
    } catch (IOException harmless) {
      // The jars are only read; the process is about to end.
    }
  }
}
