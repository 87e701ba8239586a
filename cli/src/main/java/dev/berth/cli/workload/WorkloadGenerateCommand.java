package dev.berth.cli.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.cli.error.BadInputException;
import dev.berth.cli.input.InputFile;
import dev.berth.cli.input.Inputs;
import dev.berth.cli.input.SeedOption;
import dev.berth.cli.input.WatchedWorkload;
import dev.berth.cli.output.FormattedFile;
import dev.berth.cli.output.JsonTarget;
import dev.berth.cli.output.OutTarget;
import dev.berth.cli.output.OutputFiles;
import dev.berth.cli.session.SessionCommand;
import dev.berth.cli.terminal.ProgressDisplay;
import dev.berth.report.render.JsonText;
import dev.berth.simulator.workload.ServiceClasses;
import dev.berth.traces.prepare.GoogleLikeProfile;
import dev.berth.traces.prepare.GoogleLikeWorkload;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth workload generate}: generates requests like Google's. */
@Command(
    name = "generate",
    header = "Generates a workload like that of the Google cluster trace of 2011.",
    description =
        "The workload starts with the requests that already run when the trace begins; then jobs "
            + "arrive. With the same seed, a shorter workload is a prefix of a longer one.",
    footer = {
      "  berth workload generate --out requests.csv.gz --duration 1d --scale 0.1",
      "  berth workload generate --out requests.csv --requests 100000 --seed 7",
      "  berth workload generate --out requests.csv --json | jq .profile > profile.json"
    })
final class WorkloadGenerateCommand extends SessionCommand implements Runnable {

  private static final Duration DAY = Duration.ofDays(1);

  @Mixin private OutTarget out = new OutTarget();

  @Option(
      names = "--profile",
      paramLabel = "FILE",
      description =
          "JSON file with the profile of the workload; default: one fitted to the Google cluster trace "
              + "of 2011. --json shows the profile used.")
  private @Nullable String profile;

  @Option(
      names = "--scale",
      paramLabel = "FACTOR",
      defaultValue = "1",
      description =
          "Factor for the number of jobs and of the hosts that the profile is meant for; job sizes stay "
              + "the same. 1 suits 12,477 hosts; default ${DEFAULT-VALUE}.")
  private double scale;

  @Option(
      names = "--requests",
      paramLabel = "N",
      description = "Maximum number of requests; default: no limit.")
  private @Nullable Long requests;

  @Option(
      names = "--duration",
      paramLabel = "DURATION",
      description = "Time of the last admission; default: 1d, with --requests no limit.")
  private @Nullable Duration duration;

  @Mixin private SeedOption seed = new SeedOption();

  @Mixin private JsonTarget json = new JsonTarget();

  @Override
  public void run() {
    json.check();
    FormattedFile target = out.file();
    BadInputException.unless(
        requests == null || requests > 0,
        "--requests was %s, must be positive.".formatted(requests));
    GoogleLikeProfile given = profile();
    GoogleLikeProfile effective = Inputs.checked("--scale", () -> given.scaled(scale));
    GoogleLikeWorkload workload =
        Inputs.checked(
            () ->
                new GoogleLikeWorkload(
                    effective,
                    ServiceClasses.goldSilverBronze(Duration.ZERO),
                    most(),
                    until(),
                    seed.value()));
    requireArrivals(effective);
    try (OutputFiles files = new OutputFiles()) {
      AntiAffineJobs jobs = new AntiAffineJobs(workload);
      long count = write(jobs, target, files);
      if (jobs.largestSize() > effective.hosts()) {
        err()
            .printf(
                "note: job %s has %s requests that need a host each, more than the %s hosts that the "
                    + "profile is meant for. Maybe use a greater --scale, or a --profile with a lower \"largest\".%n",
                jobs.largest(), jobs.largestSize(), effective.hosts());
      }
      ObjectNode outcome =
          JsonText.object()
              .put("file", target.path().toString())
              .put("requests", count)
              .put("hosts", effective.hosts())
              .put("largestAntiAffineJob", jobs.largestSize())
              .put("seed", seed.value());
      outcome.set("profile", effective.toJson());
      json.addTo(
          files,
          out(),
          () ->
              "%s: %s requests for %s hosts, seed %s%n"
                  .formatted(target.path(), count, effective.hosts(), seed.value()),
          outcome);
      files.commit();
    }
  }

  private long write(AntiAffineJobs jobs, FormattedFile target, OutputFiles files) {
    try (ProgressDisplay display = session().progress()) {
      display.begin("writing " + target.path());
      return target.addTo(files, WatchedWorkload.of(jobs, display, most(), until()));
    }
  }

  private long most() {
    return requests == null ? Long.MAX_VALUE : requests;
  }

  private long until() {
    if (duration == null) {
      return requests == null ? DAY.toNanos() : Long.MAX_VALUE;
    }
    return duration.toNanos();
  }

  private static void requireArrivals(GoogleLikeProfile profile) {
    BadInputException.unless(
        profile.classes().stream()
            .anyMatch(each -> each.running().number() >= 0.5 || each.arriving().number() != 0),
        "no job runs or arrives. Maybe make the number of running or arriving jobs positive.");
  }

  private GoogleLikeProfile profile() {
    if (profile == null) {
      return GoogleLikeProfile.google2011();
    }
    String text = InputFile.text(profile, "--profile");
    try {
      return GoogleLikeProfile.parse(text);
    } catch (IllegalArgumentException wrong) {
      throw new BadInputException(
          "--profile \"%s\": %s".formatted(profile, wrong.getMessage()), wrong);
    }
  }
}
