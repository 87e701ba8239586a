package dev.berth.policies.metascheduling;

import dev.berth.api.Instance;
import dev.berth.api.policy.SchedulingPass;
import java.util.function.IntToDoubleFunction;
import java.util.random.RandomGenerator;

/** The implementations of {@link SiteChoice}. */
final class Choices {

  private Choices() {}

  /** Any site, with equal probability (section 3). */
  static SiteChoice random() {
    return (instance, sites) -> sites.open(sites.pass().random().nextInt(sites.open()));
  }

  /** The site that reported the least load per core, however long ago (section 3). */
  static SiteChoice cpuLoad() {
    return new WithLoad(LoadEstimate.asReported()) {
      @Override
      public int choose(Instance instance, Sites sites) {
        Best best = new Best(instance, sites, site -> 0);
        for (int site = 0; site < sites.size(); site++) {
          if (sites.isOpen(site)) {
            best.offer(site, loads.perCore(site));
          }
        }
        return best.site();
      }
    };
  }

  /**
   * A lottery in which a site has more tickets, the less CPU time the application used there
   * (section 3.1).
   */
  static SiteChoice lottery() {
    RunTimes times = new RunTimes();
    Tickets tickets = new Tickets();
    return (instance, sites) ->
        tickets.draw(times.alone(instance, sites), sites, sites.pass().random());
  }

  /**
   * A lottery in which a site has more tickets, the shorter the expected run time of the
   * application under its current load (section 3.2).
   */
  static SiteChoice lotteryWithLoad(LoadConfig config) {
    RunTimes times = new RunTimes();
    Tickets tickets = new Tickets();
    return new WithLoad(config.estimator()) {
      @Override
      public int choose(Instance instance, Sites sites) {
        return tickets.draw(times.underLoad(instance, sites, loads), sites, sites.pass().random());
      }
    };
  }

  /**
   * The site where the application is expected to run shortest under its present load (section
   * 3.3). Where it never ran it is expected to take no time; of equals the least loaded wins.
   */
  static SiteChoice wallTimeEstimated(LoadConfig config) {
    RunTimes times = new RunTimes();
    return new WithLoad(config.estimator()) {
      @Override
      public int choose(Instance instance, Sites sites) {
        double[] expected = times.underLoad(instance, sites, loads);
        Best best = new Best(instance, sites, loads::perCoreWithOneMore);
        for (int site = 0; site < sites.size(); site++) {
          if (sites.isOpen(site)) {
            best.offer(site, expected[site]);
          }
        }
        return best.site();
      }
    };
  }

  /**
   * The one of two random sites with less estimated load per core. It is not part of the paper; it
   * shows what little information can do (Mitzenmacher: The power of two choices in randomized load
   * balancing, 2001).
   */
  static SiteChoice powerOfTwoChoices(LoadConfig config) {
    return new WithLoad(config.estimator()) {
      @Override
      public int choose(Instance instance, Sites sites) {
        RandomGenerator random = sites.pass().random();
        int first = random.nextInt(sites.open());
        if (sites.open() == 1) {
          return sites.open(first);
        }
        int second = random.nextInt(sites.open() - 1);
        int one = sites.open(first);
        int other = sites.open(second < first ? second : second + 1);
        return loads.perCoreWithOneMore(other) < loads.perCoreWithOneMore(one) ? other : one;
      }
    };
  }

  /** A choice that tracks the loads of the sites. */
  private abstract static class WithLoad implements SiteChoice {

    final LoadEstimate loads;

    WithLoad(LoadEstimate loads) {
      this.loads = loads;
    }

    @Override
    public void begin(Sites sites) {
      loads.follow(sites.hosts(), sites.pass().now());
    }

    @Override
    public void placed(int site, Sites sites) {
      loads.look(site, sites.hosts().get(site));
    }
  }

  /**
   * The best site so far: the smallest key, then the smallest second key, then the greatest
   * {@linkplain SchedulingPass#tieBreak tie break}. The latter two are computed only on a tie.
   */
  private static final class Best {

    private final Instance instance;
    private final Sites sites;
    private final IntToDoubleFunction second;
    private int best = -1;
    private double key;
    private boolean tied; // whether the next two are known for the best site
    private double then;
    private long tie;

    Best(Instance instance, Sites sites, IntToDoubleFunction second) {
      this.instance = instance;
      this.sites = sites;
      this.second = second;
    }

    void offer(int site, double siteKey) {
      if (best < 0 || siteKey < key) {
        best = site;
        key = siteKey;
        tied = false;
      } else if (siteKey == key) {
        breakTie(site);
      }
    }

    private void breakTie(int site) {
      if (!tied) {
        tied = true;
        then = second.applyAsDouble(best);
        tie = sites.tieBreak(instance, best);
      }
      double siteThen = second.applyAsDouble(site);
      if (siteThen <= then) {
        long siteTie = sites.tieBreak(instance, site);
        if (siteThen < then || siteTie > tie) {
          best = site;
          then = siteThen;
          tie = siteTie;
        }
      }
    }

    /** Returns the best site; at least one was offered. */
    int site() {
      return best;
    }
  }
}
