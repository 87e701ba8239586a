package dev.berth.api.fleet;

import dev.berth.api.HostSpec;
import dev.berth.api.InstanceState;
import dev.berth.api.Resources;
import dev.berth.api.Taint;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * A difference between what a scheduler believes and what a fleet reports, and what was done about
 * it. Immutable.
 */
public sealed interface Difference {

  private static String words(InstanceState state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  /** Returns the difference in words, with what was done: {@code "host h1 is gone: removed"}. */
  String describe();

  /**
   * A host is up that was unknown, or that was expected to start. It was added.
   *
   * @param host id of the host
   */
  record HostAppeared(String host) implements Difference {
    @Override
    public String describe() {
      return "host %s is up: added".formatted(host);
    }
  }

  /**
   * A host is no longer up. It was removed; its instances that are nowhere else are pending.
   *
   * @param host id of the host
   */
  record HostGone(String host) implements Difference {
    @Override
    public String describe() {
      return "host %s is gone: removed".formatted(host);
    }
  }

  /**
   * A host has another capacity, other attributes or other taints. It was changed.
   *
   * @param believed the host as it was believed to be
   * @param observed the host as it is
   */
  record HostChanged(HostSpec believed, HostSpec observed) implements Difference {
    @Override
    public String describe() {
      return "host %s has %s, was believed to have %s: changed"
          .formatted(observed.id(), words(observed), words(believed));
    }

    private static String words(HostSpec host) {
      String untainted = "%s and %s".formatted(host.capacity(), host.attributes());
      return host.taints().isEmpty()
          ? untainted
          : host.taints().stream()
              .map(Taint::describe)
              .collect(Collectors.joining(", ", untainted + " with taint ", ""));
    }
  }

  /**
   * Others hold other amounts on a host. The foreign load was changed.
   *
   * @param host id of the host
   * @param believed the foreign load as it was believed to be
   * @param observed the foreign load as it is, with instances that became foreign load
   */
  record ForeignLoadChanged(String host, Resources believed, Resources observed)
      implements Difference {
    @Override
    public String describe() {
      return "others hold %s on host %s, were believed to hold %s: changed"
          .formatted(observed, host, believed);
    }
  }

  /**
   * An instance that was believed on a host is on none.
   *
   * @param instance id of the instance
   * @param host id of the host
   * @param believed the state it was believed to be in
   * @param ended whether it ended; otherwise it is pending again
   */
  record InstanceGone(String instance, String host, InstanceState believed, boolean ended)
      implements Difference {
    @Override
    public String describe() {
      return "instance %s is gone, was believed %s on host %s: %s"
          .formatted(instance, words(believed), host, ended ? "ended" : "pending again");
    }
  }

  /**
   * A known instance is on another host, in another state or in another attempt than believed. It
   * was corrected.
   *
   * @param instance id of the instance
   * @param believedHost id of the host it was believed on; empty if it was believed pending
   * @param believed the state it was believed to be in
   * @param believedAttempt the attempt it was believed to be in; 0 if no plan had begun one
   * @param host id of its host
   * @param observed its state
   * @param attempt its attempt; empty if the fleet does not know
   */
  record InstanceDiffers(
      String instance,
      Optional<String> believedHost,
      InstanceState believed,
      int believedAttempt,
      String host,
      InstanceState observed,
      OptionalInt attempt)
      implements Difference {
    @Override
    public String describe() {
      boolean other = attempt.isPresent() && attempt.getAsInt() != believedAttempt;
      return "instance %s is %s on host %s%s, was believed %s%s%s: corrected"
          .formatted(
              instance,
              words(observed),
              host,
              other ? " in attempt " + attempt.getAsInt() : "",
              words(believed),
              believedHost.map(each -> " on host " + each).orElse(""),
              other ? " in attempt " + believedAttempt : "");
    }
  }

  /**
   * An instance on a host is unknown, or was believed done.
   *
   * @param instance id of the instance
   * @param host id of its host
   * @param adopted whether it is now an instance of the scheduler; otherwise what it holds is
   *     foreign load
   */
  record InstanceUnknown(String instance, String host, boolean adopted) implements Difference {
    @Override
    public String describe() {
      return "instance %s on host %s is unknown: %s"
          .formatted(instance, host, adopted ? "adopted" : "foreign load");
    }
  }
}
