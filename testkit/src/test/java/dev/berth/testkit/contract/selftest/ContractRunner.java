package dev.berth.testkit.contract.selftest;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.berth.testkit.rule.Rule;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs contract tests as a build would, and returns the outcome of each test. */
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
   * The outcome of a test.
   *
   * @param status the status of JUnit, or {@code "SKIPPED"}
   * @param message the message of the exception, or why the test was skipped; or empty
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

  /** Returns whether a test uses generated histories. */
  static boolean isProperty(Method test) {
    return test.getParameterCount() > 0;
  }

  /** Runs one test, with some system properties. */
  static Ending run(Class<?> contract, Method test, Map<String, String> properties) {
    Map<String, Ending> endings = run(selectMethod(contract, test), properties);
    if (endings.size() != 1) {
      throw new AssertionError("%s ran as %s".formatted(test, endings));
    }
    return endings.values().iterator().next();
  }

  /** Returns what a build prints about one test: reports of jqwik, and the failure. */
  static String log(Class<?> contract, Method test, Map<String, String> properties) {
    StringWriter log = new StringWriter();
    run(selectMethod(contract, test), properties, new Printer(new PrintWriter(log, true)));
    return log.toString();
  }

  /** Runs a whole contract test; returns the outcomes of its tests by name. */
  static Map<String, Ending> run(Class<?> contract, Map<String, String> properties) {
    return run(selectClass(contract), properties);
  }

  /** Returns the number of tests that a build finds in a class. */
  static long found(Class<?> root) {
    return LAUNCHER
        .discover(request(selectClass(root)))
        .countTestIdentifiers(TestIdentifier::isTest);
  }

  /** Sets system properties for the run, since they configure the kit. */
  private static Map<String, Ending> run(
      DiscoverySelector selector, Map<String, String> properties) {
    Map<String, Ending> endings = new LinkedHashMap<>();
    run(selector, properties, new Listener(endings));
    return endings;
  }

  private static void run(
      DiscoverySelector selector, Map<String, String> properties, TestExecutionListener listener) {
    Map<String, String> before = new LinkedHashMap<>();
    properties.keySet().forEach(each -> before.put(each, System.getProperty(each)));
    properties.forEach(System::setProperty);
    try {
      LAUNCHER.execute(request(selector), listener);
    } finally {
      before.forEach(ContractRunner::restore);
    }
  }

  private static void restore(String property, String value) {
    if (value == null) {
      System.clearProperty(property);
    } else {
      System.setProperty(property, value);
    }
  }

  /** The database of the inner runs; that of the outer test is in use. */
  private static final String DATABASE =
      System.getProperty("jqwik.database", "target/jqwik-database") + "-selftest";

  private static LauncherDiscoveryRequest request(DiscoverySelector selector) {
    return LauncherDiscoveryRequestBuilder.request()
        .selectors(selector)
        .configurationParameter("jqwik.database", DATABASE)
        .configurationParameter("jqwik.reporting.usejunitplatform", "true") // not on the console
        .build();
  }

  /** Prints as a build does. */
  private record Printer(PrintWriter target) implements TestExecutionListener {

    @Override
    public void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
      entry.getKeyValuePairs().values().forEach(target::println);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      result.getThrowable().ifPresent(each -> each.printStackTrace(target));
    }
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
