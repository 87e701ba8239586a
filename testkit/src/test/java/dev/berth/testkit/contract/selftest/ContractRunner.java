package dev.berth.testkit.contract.selftest;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.berth.testkit.rule.Rule;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs contract tests as a build would, and tells how each test ended. */
final class ContractRunner {

  private static final Launcher LAUNCHER =
      LauncherFactory.create(
          LauncherConfig.builder()
              .enableTestExecutionListenerAutoRegistration(false)
              .enableLauncherSessionListenerAutoRegistration(false)
              .enablePostDiscoveryFilterAutoRegistration(false)
              .build());

  private ContractRunner() {}

  /**
   * How a test ended.
   *
   * @param status as JUnit has it, or {@code "SKIPPED"}
   * @param message of what was thrown, or why it was skipped; empty where there is none
   */
  record Ending(String status, String message) {}

  /** Returns the test of a rule in a contract test. */
  static Method test(Class<?> contract, String kind, Rule rule) {
    for (Class<?> each = contract; each != null; each = each.getSuperclass()) {
      for (Method method : each.getDeclaredMethods()) {
        if (method.getName().startsWith(kind + "_" + rule.name() + "_")) {
          return method;
        }
      }
    }
    throw new AssertionError("%s has no %s test of %s".formatted(contract, kind, rule));
  }

  /** Returns whether a test is run with generated histories. */
  static boolean isProperty(Method test) {
    return test.getParameterCount() > 0;
  }

  /** Runs one test, with some system properties. */
  static Ending run(Class<?> contract, Method test, Map<String, String> properties) {
    Map<String, Ending> endings = run(selectMethod(contract, test), properties);
    if (endings.size() != 1) {
      throw new AssertionError("of %s there ran %s".formatted(test, endings));
    }
    return endings.values().iterator().next();
  }

  /** Runs a whole contract test; returns how its tests ended, by name. */
  static Map<String, Ending> run(Class<?> contract, Map<String, String> properties) {
    return run(selectClass(contract), properties);
  }

  /** Returns how many tests a build finds in a class that it is told to run. */
  static long found(Class<?> root) {
    return LAUNCHER
        .discover(request(selectClass(root)))
        .countTestIdentifiers(TestIdentifier::isTest);
  }

  /** The kit is told by system properties, so they are set around the run. */
  private static Map<String, Ending> run(DiscoverySelector what, Map<String, String> properties) {
    Map<String, Ending> endings = new LinkedHashMap<>();
    Map<String, String> before = new LinkedHashMap<>();
    properties.keySet().forEach(each -> before.put(each, System.getProperty(each)));
    properties.forEach(System::setProperty);
    try {
      LAUNCHER.execute(request(what), new Listener(endings));
    } finally {
      before.forEach(ContractRunner::restore);
    }
    return endings;
  }

  private static void restore(String property, String value) {
    if (value == null) {
      System.clearProperty(property);
    } else {
      System.setProperty(property, value);
    }
  }

  /** Another database than that of the test that runs this, and of any other JVM. */
  private static final String DATABASE =
      System.getProperty("jqwik.database", "target/jqwik-database") + "-selftest";

  private static LauncherDiscoveryRequest request(DiscoverySelector what) {
    return LauncherDiscoveryRequestBuilder.request()
        .selectors(what)
        .configurationParameter("jqwik.database", DATABASE)
        .configurationParameter("jqwik.reporting.usejunitplatform", "true") // not on the console
        .build();
  }

  private static final class Listener implements TestExecutionListener {

    private final Map<String, Ending> endings;

    Listener(Map<String, Ending> endings) {
      this.endings = endings;
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
      endings.put(test.getDisplayName(), new Ending("SKIPPED", reason));
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (test.isTest() || result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
        endings.put(
            test.getDisplayName(),
            new Ending(
                result.getStatus().name(),
                result.getThrowable().map(Throwable::getMessage).orElse("")));
      }
    }
  }
}
