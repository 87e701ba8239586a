package dev.berth.experiments.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** A jar with two policies: one waits for a file before its first pass, the other throws. */
final class AcmePlugin {

  private static final String SOURCE =
      """
      package com.acme;

      import dev.berth.api.*;
      import dev.berth.api.policy.*;
      import java.nio.file.*;
      import java.util.List;

      public final class Plugin implements PolicyProvider {
        public record Config(int patience) {}

        record Factory(String id) implements PolicyFactory<Config> {
          public String summary() { return "is a policy of Acme"; }
          public Config defaults() { return new Config(3); }
          public Policy create(Config config, PolicyContext context) {
            return id.equals("acme.poison") ? Plugin::fail : Plugin::place;
          }
        }

        public List<PolicyFactory<?>> factories() {
          return List.of(new Factory("acme.gated"), new Factory("acme.poison"));
        }

        private static void fail(SchedulingPass pass) {
          throw new IllegalStateException("out of ideas");
        }

        private static void place(SchedulingPass pass) {
          try {
            Files.writeString(Path.of("%1$s/waits-" + ProcessHandle.current().pid()), "");
            while (!Files.exists(Path.of("%1$s/open"))) Thread.sleep(10);
          } catch (java.io.IOException | InterruptedException failure) {
            throw new IllegalStateException(failure);
          }
          for (Instance instance : pass.pending()) {
            for (Host host : pass.hosts()) {
              if (pass.place(instance, host).accepted()) break;
            }
          }
        }
      }
      """;

  private AcmePlugin() {}

  /**
   * Writes the jar.
   *
   * @param folder of the jar
   * @param gate folder where waiting processes leave a file, and wait for another
   */
  static void write(Path folder, Path gate) throws IOException {
    Path work = Files.createTempDirectory("acme");
    Path source = Files.writeString(work.resolve("Plugin.java"), SOURCE.formatted(gate));
    int exit =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-classpath",
                System.getProperty("java.class.path"),
                "-d",
                work.toString(),
                source.toString());
    assertThat(exit).isZero();
    try (OutputStream file = Files.newOutputStream(folder.resolve("acme.jar"));
        JarOutputStream jar = new JarOutputStream(file);
        Stream<Path> classes = Files.list(work.resolve("com/acme"))) {
      for (Path each : classes.sorted().toList()) {
        jar.putNextEntry(new JarEntry("com/acme/" + each.getFileName()));
        Files.copy(each, jar);
      }
      jar.putNextEntry(new JarEntry("META-INF/services/dev.berth.api.policy.PolicyProvider"));
      jar.write("com.acme.Plugin".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
  }
}
