package dev.berth.benchmarks;

import static dev.berth.api.Arguments.refuseIf;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Compares two versions of Berth, each in its own {@code benchmarks.jar}, in one JVM: it times a
 * pass of {@link ScenarioBenchmark} of the one, then of the other, in turn. So a change of the
 * machine's load meets both alike, and small differences show that separate runs would hide.
 *
 * <pre>{@code
 * java -cp benchmarks/target/benchmarks.jar dev.berth.benchmarks.VersionComparison \
 *     before.jar after.jar churn 10000 qos-driven 3000
 * }</pre>
 *
 * <p>It prints the median of each, the median of the ratios of neighbours, and the range that holds
 * that median with 99 % confidence. How the JIT compiles differs from run to run, so run it several
 * times.
 */
public final class VersionComparison {

  private static final int WARM_UP = 1_500;

  /** The number of standard deviations on each side that hold 99 % of a normal distribution. */
  private static final double CONFIDENT = 2.576;

  private VersionComparison() {}

  /** One version; its classes are loaded apart from ours. */
  private static final class Version {
    private final MethodHandle next;
    private final MethodHandle pass;

    Version(String jar, String scenario, String hosts, String policy)
        throws ReflectiveOperationException, java.io.IOException {
      URL url = Path.of(jar).toUri().toURL();
      refuseIf(!Path.of(jar).toFile().isFile(), "%s is no file.", jar);
      ClassLoader loader = // lives as long as the JVM
          new URLClassLoader(new URL[] {url}, ClassLoader.getPlatformClassLoader());
      Thread.currentThread().setContextClassLoader(loader); // for policies
      Class<?> type = loader.loadClass(ScenarioBenchmark.class.getName());
      Object benchmark = type.getDeclaredConstructor().newInstance();
      type.getField("scenario").set(benchmark, scenario);
      type.getField("hosts").setInt(benchmark, Integer.parseInt(hosts));
      type.getField("policy").set(benchmark, policy);
      type.getField("config").set(benchmark, "{}");
      type.getMethod("start").invoke(benchmark);
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      next = lookup.unreflect(type.getMethod("next")).bindTo(benchmark);
      pass = lookup.unreflect(type.getMethod("pass")).bindTo(benchmark);
    }

    double microseconds() throws Throwable {
      next.invoke();
      long begun = System.nanoTime();
      pass.invoke();
      return (System.nanoTime() - begun) / 1000.0;
    }
  }

  /**
   * Compares.
   *
   * @param args both jars, scenario, hosts, policy or two policies with a slash between them,
   *     number of passes
   * @throws Throwable if a version cannot run
   */
  @SuppressWarnings("SystemOut") // it is a command
  public static void main(String[] args) throws Throwable {
    if (args.length != 6) {
      throw new IllegalArgumentException(
          "usage: BEFORE.jar AFTER.jar SCENARIO HOSTS POLICY PASSES, but got %s arguments."
              .formatted(args.length));
    }
    List<String> policies = List.of(args[4].split("/"));
    Version before = new Version(args[0], args[2], args[3], policies.get(0));
    Version after = new Version(args[1], args[2], args[3], policies.get(policies.size() - 1));
    int passes = Integer.parseInt(args[5]);
    List<Double> ofBefore = new ArrayList<>();
    List<Double> ofAfter = new ArrayList<>();
    List<Double> ratios = new ArrayList<>();
    for (int i = -WARM_UP; i < passes; i++) {
      boolean isBeforeFirst = i % 2 == 0;
      double first = (isBeforeFirst ? before : after).microseconds();
      double second = (isBeforeFirst ? after : before).microseconds();
      if (i >= 0) {
        double a = isBeforeFirst ? first : second;
        double b = isBeforeFirst ? second : first;
        ofBefore.add(a);
        ofAfter.add(b);
        ratios.add(b / a);
      }
    }
    ratios.sort(null);
    int half = (int) Math.ceil(CONFIDENT * Math.sqrt(passes) / 2); // ranks around the median
    System.out.printf(
        Locale.ROOT,
        "before %.1f us, after %.1f us, ratio %.4f (99 %%: %.4f to %.4f), %d pairs%n",
        median(ofBefore),
        median(ofAfter),
        median(ratios),
        ratios.get(Math.max(0, passes / 2 - half)),
        ratios.get(Math.min(passes - 1, passes / 2 + half)),
        passes);
  }

  private static double median(List<Double> values) {
    List<Double> sorted = new ArrayList<>(values);
    sorted.sort(null);
    return sorted.get(sorted.size() / 2);
  }
}
