package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.policy.PolicyProvider;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;

/**
 * A jar with policies of a third party, compiled by the test, so that only the plugin loader finds
 * them.
 */
public final class PluginJar {

  private static final String FACTORY =
      """
      package com.acme;

      import dev.berth.api.*;
      import dev.berth.api.policy.*;

      final class %1$s implements PolicyFactory<%1$s.Config> {
        record Config(int patience) {
          Config {
            if (patience < 0) throw new IllegalArgumentException("patience must be 0 or more");
          }
        }
        public String id() { return "%2$s"; }
        public String summary() { return "is %3$s of Acme"; }
        public Config defaults() { return new Config(%5$d); }
        public Policy create(Config config, PolicyContext context) { %4$s }
      }
      """;

  private static final String PROVIDER =
      """
      package com.acme;

      import dev.berth.api.policy.*;
      import java.util.List;

      public final class %s implements PolicyProvider {
        public List<PolicyFactory<?>> factories() { return List.of(%s); }
      }
      """;

  private static final String FIRST_FIT =
      """
      return pass -> {
        for (Instance instance : pass.pending()) {
          for (Host host : pass.hosts()) {
            if (pass.place(instance, host).accepted()) break;
          }
        }
      };
      """;

  private static final String THROWS_IN_PASS =
      "return pass -> { throw new IllegalStateException(\"out of ideas\"); };";

  private static final String THROWS_ON_CREATION =
      "throw new IllegalStateException(\"no licence\");";

  /** All that plugins are compiled against; javac indexes each jar of a class path anew. */
  private static final String API =
      Path.of(
              URI.create(
                  PolicyProvider.class
                      .getProtectionDomain()
                      .getCodeSource()
                      .getLocation()
                      .toString()))
          .toString();

  private PluginJar() {}

  /**
   * Writes a jar with {@code acme.first-fit}, {@code acme.broken} (throws in every pass), {@code
   * acme.unmakeable} (its policy cannot be created) and {@code acme.impatient} (its defaults are
   * out of range).
   *
   * @param folder where the jar is written
   */
  public static void write(Path folder) throws IOException {
    Path work = Files.createTempDirectory(folder, "acme");
    write(work, "FirstFit", "acme.first-fit", FIRST_FIT, 3);
    write(work, "Broken", "acme.broken", THROWS_IN_PASS, 3);
    write(work, "Unmakeable", "acme.unmakeable", THROWS_ON_CREATION, 3);
    write(work, "Impatient", "acme.impatient", FIRST_FIT, -1);
    pack(
        work, folder.resolve("acme.jar"), List.of("FirstFit", "Broken", "Unmakeable", "Impatient"));
  }

  /** Writes a jar with another policy whose id is {@code acme.first-fit}. */
  public static void writeRival(Path folder) throws IOException {
    Path work = Files.createTempDirectory(folder, "rival");
    write(work, "Rival", "acme.first-fit", FIRST_FIT, 3);
    pack(work, folder.resolve("rival.jar"), List.of("Rival"));
  }

  /**
   * Writes a jar {@code NAME.jar} with one policy.
   *
   * @param folder where the jar is written
   * @param name of its class
   * @param id of the policy
   * @param create the body of the method that creates it
   * @param defaults the body of the method that returns the defaults
   */
  public static Path write(Path folder, String name, String id, String create, String defaults)
      throws IOException {
    Path work = Files.createTempDirectory(folder, "one");
    String source =
        FACTORY
            .formatted(name, id, name, create, 3)
            .replace(
                "return new Config(3);", defaults.isEmpty() ? "return new Config(3);" : defaults);
    Files.writeString(work.resolve(name + ".java"), source);
    Path jar = folder.resolve(name + ".jar");
    pack(work, jar, List.of(name));
    return jar;
  }

  private static void write(Path work, String name, String id, String body, int patience)
      throws IOException {
    Files.writeString(
        work.resolve(name + ".java"), FACTORY.formatted(name, id, name, body, patience));
  }

  private static void compile(Path work) throws IOException {
    List<String> arguments =
        new ArrayList<>(List.of("-proc:none", "-classpath", API, "-d", work.toString()));
    filesIn(work, ".java").forEach(each -> arguments.add(each.toString()));
    int result =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    assertThat(result).as("compiling %s", work).isZero();
  }

  private static void pack(Path work, Path jar, List<String> factories) throws IOException {
    String created =
        factories.stream().map("new %s()"::formatted).collect(Collectors.joining(", "));
    String provider = "ProviderOf" + factories.get(0);
    Files.writeString(work.resolve(provider + ".java"), PROVIDER.formatted(provider, created));
    compile(work);
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(file)) {
      for (Path each : filesIn(work, ".class")) {
        entries.putNextEntry(new JarEntry(work.relativize(each).toString().replace('\\', '/')));
        entries.write(Files.readAllBytes(each));
      }
      entries.putNextEntry(new JarEntry("META-INF/services/dev.berth.api.policy.PolicyProvider"));
      entries.write(("com.acme." + provider + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }

  private static List<Path> filesIn(Path folder, String ending) throws IOException {
    try (var files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
    }
  }
}
