package dev.berth.kubernetes.reproduction;

import dev.berth.core.config.Durations;
import dev.berth.core.error.ConfigException.Problem;
import dev.berth.core.error.NearestName;
import dev.berth.kubernetes.lab.ControlPlane;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code reproduce}: runs a validation experiment of the paper on a real control plane. */
@Command(
    name = "reproduce",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Runs a validation experiment of the QoS-driven scheduling paper on a control plane.",
    description = {
      "",
      "Starts a Kubernetes API server on loopback, 20 fake nodes and the scheduler of pods. Submits "
          + "the requests of the paper, one a second, and prints the availability of each class "
          + "beside the published one. With speed 1 it takes an hour.",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:done", "1:the run failed", "2:bad input; nothing was run"})
public final class ReproduceCommand implements Callable<Integer> {

  private static final double MOST_SPEED = 100;
  private static final double MOST_MINUTES = 1_440;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Parameters(
      index = "0",
      paramLabel = "EXPERIMENT",
      description = "kubernetes-validation-1 (three classes) or kubernetes-validation-2 (silver).")
  private String experiment = "";

  @Option(
      names = "--speed",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "By what all times are divided, from 1 to 100; default ${DEFAULT-VALUE}. Above 20 the "
              + "delays of the API server distort the figures.")
  private String speed = "1";

  @Option(
      names = "--minutes",
      paramLabel = "N",
      defaultValue = "60",
      description =
          "Length before it is divided by the speed, above 0 to 1440; default ${DEFAULT-VALUE}.")
  private String minutes = "60";

  @Option(
      names = "--watchdog",
      paramLabel = "DURATION",
      description =
          "Longest time between two passes, before it is divided by the speed; default 75s for "
              + "kubernetes-validation-1, 36s for 2. A shorter one preempts more.")
  private @Nullable String watchdog;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of the order of requests and of all draws; default ${DEFAULT-VALUE}.")
  private String seed = "1";

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Also writes settings, figures and all requests to FILE.")
  private @Nullable String json;

  /** Creates the command; picocli sets its options. */
  public ReproduceCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    RunSettings settings = settings();
    @Nullable Path file = json == null ? null : file(json);
    if (!ControlPlane.isInstalled()) {
      throw new IOException(
          "no control plane is installed. To install it, once: " + ControlPlane.INSTALLATION);
    }
    PrintWriter err = spec.commandLine().getErr();
    Reproduction.Result result;
    try (ControlPlane plane = ControlPlane.start()) {
      result =
          Reproduction.run(
              settings,
              plane.config(),
              line -> {
                err.println(line);
                err.flush();
              });
    }
    PrintWriter out = spec.commandLine().getOut();
    out.print(FiguresText.table(result));
    out.flush();
    if (file != null) {
      FiguresJson.write(result, file);
    }
    return CommandLine.ExitCode.OK;
  }

  private RunSettings settings() {
    List<String> ids = Arrays.stream(Validation.values()).map(Validation::id).toList();
    Validation validation =
        Validation.of(experiment)
            .orElseThrow(
                () ->
                    wrong(
                        "EXPERIMENT",
                        experiment,
                        "is no experiment",
                        NearestName.hintAndList(experiment, ids)));
    String ofSpeed = "must be a number from 1 to 100";
    double factor =
        read(
            "--speed",
            speed,
            Double::parseDouble,
            each -> true,
            ofSpeed,
            "Write, for example, 20.");
    if (!(factor >= 1 && factor <= MOST_SPEED)) {
      throw wrong("--speed", speed, ofSpeed, "1 is real time.");
    }
    double length =
        read(
            "--minutes",
            minutes,
            Double::parseDouble,
            each -> each > 0 && each <= MOST_MINUTES,
            "must be a number above 0, at most 1440",
            "The paper ran 60.");
    long seeded =
        read(
            "--seed",
            seed,
            Long::parseLong,
            each -> true,
            "must be a whole number",
            "Write, for example, 1.");
    return new RunSettings(
        validation,
        factor,
        seeded,
        length,
        watchdog == null ? validation.watchdog() : watchdog(watchdog));
  }

  private Duration watchdog(String text) {
    return read(
        "--watchdog",
        text,
        Durations::parse,
        longest ->
            longest.compareTo(Duration.ofSeconds(1)) >= 0
                && longest.compareTo(Duration.ofHours(1)) <= 0,
        "must be a duration from 1s to 1h",
        "Write, for example, 30s.");
  }

  private Path file(String text) {
    return read(
        "--json",
        text,
        Path::of,
        path ->
            !text.isBlank()
                && !Files.isDirectory(path)
                && Files.isWritable(
                    Files.exists(path) ? path : path.toAbsolutePath().normalize().getParent()),
        "must be a file in a folder that exists",
        "Create the folder first.");
  }

  private <T> T read(
      String option,
      String text,
      Function<String, T> reader,
      Predicate<T> fits,
      String rule,
      String hint) {
    try {
      T value = reader.apply(text);
      if (fits.test(value)) {
        return value;
      }
    } catch (IllegalArgumentException malformed) {
      // Falls through to the error.
    }
    throw wrong(option, text, rule, hint);
  }

  private ParameterException wrong(String what, String value, String rule, String hint) {
    return new ParameterException(
        spec.commandLine(), new Problem(what, value, rule, hint).describe());
  }
}
