package dev.berth.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Dimension;
import dev.berth.api.HostSpec;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A scheduler in a JVM that lacks the module of JFR. */
class WithoutFlightRecorderTest {

  private static final String MODULES = "java.base,java.logging,java.management,java.sql,java.xml";

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void passesAndEventsWork() throws IOException, InterruptedException {
    Process java =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--limit-modules",
                MODULES,
                "-cp",
                System.getProperty("java.class.path"),
                Program.class.getName())
            .redirectErrorStream(true)
            .start();
    String output = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(java.waitFor()).as(output).isZero();
    assertThat(output.lines()).contains("jfr false, placed 1"); // beside warnings of the JVM
  }

  /** What the JVM runs. */
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) {
      Scheduler scheduler =
          Scheduler.builder()
              .policy("test", context -> context.pipeline().build())
              .serviceClasses(ServiceClass.builder("gold").build())
              .build();
      Resources one = Resources.of(Dimension.CPU, 1);
      scheduler.addHost(new HostSpec("h1", one), 1);
      scheduler.submit(Request.builder("r1", "gold").demand(one).build(), 1);
      System.out.printf(
          "jfr %s, placed %s%n",
          ModuleLayer.boot().findModule("jdk.jfr").isPresent(),
          scheduler.schedule(2).placements().size());
    }
  }
}
