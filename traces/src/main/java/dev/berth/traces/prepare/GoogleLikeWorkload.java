package dev.berth.traces.prepare;

import static dev.berth.api.Arguments.refuseIf;

import dev.berth.api.Constraint;
import dev.berth.api.Request;
import dev.berth.api.Resources;
import dev.berth.api.ServiceClass;
import dev.berth.core.decision.SeededTieBreaker;
import dev.berth.simulator.workload.Arrival;
import dev.berth.simulator.workload.ArrivalSource;
import dev.berth.simulator.workload.Workload;
import dev.berth.traces.internal.FileDimensions;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A generated workload with the properties of a {@link GoogleLikeProfile}.
 *
 * <p>Requests are generated as they are read, and memory use does not grow with their number. For
 * one profile and seed, a shorter workload is a prefix of a longer one. Times are in whole
 * milliseconds. The arithmetic is reproducible on every virtual machine.
 */
public final class GoogleLikeWorkload implements Workload {

  private static final double SECONDS_PER_HOUR = 3_600;
  private static final double SECONDS_PER_DAY = 86_400;
  private static final double NANOS = 1e9;
  private static final long MILLI = 1_000_000;
  private static final double LATEST_SECONDS = 9e9; // within what nanoseconds can count

  private final String name;
  private final List<ServiceClass> serviceClasses;
  private final GoogleLikeProfile profile;
  private final long requests;
  private final long until;
  private final long seed;

  /**
   * Creates a workload. Generation starts when it is opened.
   *
   * @param serviceClasses the service classes, at least those that the profile names
   * @param requests the maximum number of requests, positive; {@link Long#MAX_VALUE} for no limit
   * @param until the latest admission in nanoseconds since the start, not negative; {@link
   *     Long#MAX_VALUE} for no limit
   * @param seed the random seed
   * @throws IllegalArgumentException if the profile names a class that is missing, or a limit is
   *     out of range
   */
  public GoogleLikeWorkload(
      GoogleLikeProfile profile,
      Collection<? extends ServiceClass> serviceClasses,
      long requests,
      long until,
      long seed) {
    refuseIf(requests < 1, "number of requests was %s, must be positive.", requests);
    refuseIf(until < 0, "end of the workload was at %s ns, must not be negative.", until);
    List<String> named = profile.classes().stream().map(GoogleLikeProfile.OfClass::name).toList();
    List<String> known = serviceClasses.stream().map(ServiceClass::name).toList();
    for (String each : named) {
      if (!known.contains(each)) {
        throw new IllegalArgumentException(
            "class of the profile was \"%s\", must be one of %s."
                .formatted(each, String.join(", ", known)));
      }
    }
    this.name = "google-like (seed %s)".formatted(seed);
    this.serviceClasses =
        serviceClasses.stream()
            .filter(each -> named.contains(each.name()))
            .map(each -> (ServiceClass) each)
            .toList();
    this.profile = profile;
    this.requests = requests;
    this.until = until;
    this.seed = seed;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<ServiceClass> serviceClasses() {
    return serviceClasses;
  }

  /** Returns empty, because the size is unknown before the generation ends. */
  @Override
  public OptionalLong size() {
    return OptionalLong.empty();
  }

  @Override
  public ArrivalSource open() {
    return new Source();
  }

  /** The jobs of all classes, in order of time, request by request. */
  private final class Source implements ArrivalSource {

    private final List<Jobs> jobs = new ArrayList<>();
    private long left = requests;
    private @Nullable Job job; // the current job
    private int given; // number of its requests returned

    Source() {
      for (GoogleLikeProfile.OfClass each : profile.classes()) {
        jobs.add(new Jobs(each, false));
        if (each.replacements() > 0) {
          jobs.add(new Jobs(each, true));
        }
      }
      advance();
    }

    /** Takes the earliest job; at equal times, that of the first class. */
    private void advance() {
      Jobs earliest = jobs.get(0);
      for (Jobs each : jobs) {
        if (each.nextAt() < earliest.nextAt()) {
          earliest = each;
        }
      }
      job =
          earliest.nextAt() <= until && earliest.nextAt() < Long.MAX_VALUE ? earliest.take() : null;
      given = 0;
    }

    @Override
    public boolean hasNext() {
      return left > 0 && job != null;
    }

    @Override
    public Arrival next() {
      Job current = job;
      if (left == 0 || current == null) {
        throw new NoSuchElementException();
      }
      Arrival next = current.request(++given);
      left--;
      if (given == current.size) {
        advance();
      }
      return next;
    }

    @Override
    public void close() {}
  }

  /** The jobs of one class in order of time: either its replacements or all others. */
  private final class Jobs {

    private final GoogleLikeProfile.OfClass of;
    private final GoogleLikeProfile.Jobs later; // population of jobs after the start
    private final double followed;
    private final String prefix; // of ids
    private final Random random;
    private final double[] users; // cumulative weights
    private final double[] levels; // cumulative weights
    private final List<Resources> demands;
    private final long running;
    private final double burstsPerSecond;
    private long taken;
    private double seconds; // time of the next arriving job
    private String user = "";
    private boolean inBurst;

    Jobs(GoogleLikeProfile.OfClass of, boolean replacements) {
      this.of = of;
      this.later = replacements ? of.running() : of.arriving();
      this.followed = replacements ? 0 : of.burst().followed();
      this.prefix = of.name() + (replacements ? "-next-" : "-");
      String drawn = replacements ? "replacements of class " : "jobs of class ";
      this.random = new Random(SeededTieBreaker.hash(seed, drawn + of.name()));
      this.users = new double[of.users()];
      for (int rank = 0; rank < users.length; rank++) {
        users[rank] = StrictMath.pow(rank + 1, -profile.activity());
      }
      Arrays.parallelPrefix(users, Double::sum);
      this.levels = of.demands().stream().mapToDouble(GoogleLikeProfile.Level::weight).toArray();
      Arrays.parallelPrefix(levels, Double::sum);
      this.demands = of.demands().stream().map(GoogleLikeWorkload::demand).toList();
      this.running = replacements ? 0 : Math.round(of.running().number());
      double perHour = replacements ? of.replacements() : of.arriving().number();
      this.burstsPerSecond = perHour * (1 - followed) / SECONDS_PER_HOUR;
      waitForBurst();
    }

    /** Returns the time of the next job; the greatest number if there is none. */
    long nextAt() {
      return taken < running
          ? 0
          : seconds < LATEST_SECONDS ? milliseconds(seconds) : Long.MAX_VALUE;
    }

    Job take() {
      boolean runs = taken < running;
      long at = nextAt();
      taken++;
      if (runs || !inBurst) {
        user = "user-" + (of.firstUser() + drawn(users));
      }
      Job next = new Job(of, at, prefix + taken, user, runs ? of.running() : later, this);
      if (!runs) {
        inBurst = random.nextDouble() < followed;
        if (inBurst) {
          seconds += exponential() * of.burst().gapSeconds();
        } else {
          waitForBurst();
        }
      }
      return next;
    }

    /** Advances to the next burst, with the rate at the start of the wait. */
    private void waitForBurst() {
      double phase = seconds - profile.dailyWave().peakHour() * SECONDS_PER_HOUR;
      double wave =
          1
              + profile.dailyWave().amplitude()
                  * StrictMath.cos(2 * StrictMath.PI * phase / SECONDS_PER_DAY);
      seconds += exponential() / (burstsPerSecond * wave); // infinite for rate 0
    }

    private double exponential() {
      return -StrictMath.log(1 - random.nextDouble());
    }

    /** Returns a random index, given the cumulative weights. */
    private int drawn(double[] sums) {
      double at = random.nextDouble() * sums[sums.length - 1];
      int found = Arrays.binarySearch(sums, at);
      return Math.min(found < 0 ? -found - 1 : found + 1, sums.length - 1);
    }

    private double logNormal(double median, double sigma) {
      return median * StrictMath.exp(sigma * random.nextGaussian());
    }
  }

  /** A job whose requests are generated one by one. */
  private static final class Job {

    private final GoogleLikeProfile.OfClass of;
    private final long at;
    private final String id;
    private final Optional<String> user;
    private final int size;
    private final boolean antiAffinity;
    private final Resources demand;
    private final List<Constraint> constraints;
    private final double seconds;
    private final GoogleLikeProfile.ServiceTimes times;
    private final Jobs draws;

    Job(
        GoogleLikeProfile.OfClass of,
        long at,
        String id,
        String user,
        GoogleLikeProfile.Jobs kind,
        Jobs draws) {
      this.of = of;
      this.at = at;
      this.id = id;
      this.user = Optional.of(user);
      this.times = kind.serviceTimes();
      this.draws = draws;
      boolean single = draws.random.nextDouble() < kind.singleShare() || kind.largest() == 1;
      this.size = single ? 1 : severalRequests(kind);
      this.antiAffinity = !single && draws.random.nextDouble() < kind.antiAffinityShare();
      this.demand = draws.demands.get(draws.drawn(draws.levels));
      this.constraints = new ArrayList<>();
      for (GoogleLikeProfile.Wish wish : of.wishes()) {
        if (draws.random.nextDouble() < wish.share()) {
          constraints.add(new Constraint.Equal(wish.attribute(), wish.value()));
        }
      }
      this.seconds = median();
    }

    /** Draws from a bounded Pareto distribution. */
    private int severalRequests(GoogleLikeProfile.Jobs kind) {
      double least = StrictMath.pow(2, -kind.sizeIndex());
      double beyond = StrictMath.pow(kind.largest() + 1.0, -kind.sizeIndex());
      double drawn = least - draws.random.nextDouble() * (least - beyond);
      return (int) Math.min(kind.largest(), StrictMath.pow(drawn, -1 / kind.sizeIndex()));
    }

    private double median() {
      if (draws.random.nextDouble() < times.tailShare()) {
        double rest = 1 - draws.random.nextDouble(); // above 0
        return times.tailFromSeconds() * StrictMath.pow(rest, -1 / times.tailIndex());
      }
      return draws.logNormal(times.medianSeconds(), times.sigma());
    }

    Arrival request(int number) {
      Request.Builder request =
          Request.builder(id + "/" + number, of.name())
              .demand(demand)
              .job(id)
              .antiAffinity(antiAffinity);
      user.ifPresent(request::user);
      constraints.forEach(request::constraint);
      double runs =
          Math.min(draws.logNormal(seconds, times.sigmaWithinJob()), times.longestSeconds());
      return new Arrival(at, request.build(), Math.max(MILLI, milliseconds(runs)));
    }
  }

  private static long milliseconds(double seconds) {
    return Math.round(seconds * NANOS / MILLI) * MILLI;
  }

  private static Resources demand(GoogleLikeProfile.Level level) {
    return FileDimensions.cpuAndMemory(
        BigDecimal.valueOf(level.cpu()), BigDecimal.valueOf(level.memory()));
  }
}
