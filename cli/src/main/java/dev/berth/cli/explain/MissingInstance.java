package dev.berth.cli.explain;

import dev.berth.cli.error.BadInputException;
import dev.berth.cli.terminal.TimeText;
import dev.berth.core.error.NearestName;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds out why there is no instance to explain: it is admitted later, or no request has its id.
 */
final class MissingInstance {

  private static final int IDS_SHOWN = 5;

  /** Ids are alike, so an id that differs in more letters is hardly the one that was meant. */
  private static final int MOST_TYPOS = 1;

  private final String instanceId;
  private final long at;
  private final String where;
  private final List<String> first = new ArrayList<>();
  private String nearest = "";
  private long count;
  private long admittedAt = Long.MIN_VALUE; // not found

  /**
   * Begins a search.
   *
   * @param instanceId the instance that is missing
   * @param at the time at which it is missing, in nanoseconds
   * @param where what is searched, for messages
   */
  MissingInstance(String instanceId, long at, String where) {
    this.instanceId = instanceId;
    this.at = at;
    this.where = where;
  }

  /** Takes note of a request, in order of admission. */
  void admitted(String id, long when) {
    if (!isFound() && id.equals(instanceId)) {
      admittedAt = when;
    }
    if (first.size() < IDS_SHOWN) {
      first.add(id);
    }
    if (nearest.isEmpty()) {
      nearest = NearestName.of(instanceId, List.of(id), MOST_TYPOS).orElse("");
    }
    count++;
  }

  /** Returns whether a request has the id, so that no further request matters. */
  boolean isFound() {
    return admittedAt != Long.MIN_VALUE;
  }

  /** Returns the error for the user. */
  BadInputException error() {
    if (isFound()) {
      return new BadInputException(
          "instance %s does not exist yet at %s; it is admitted at %s."
              .formatted(instanceId, TimeText.of(at), TimeText.of(admittedAt)));
    }
    return new BadInputException(
        "no instance \"%s\" in %s.%s There are %s: %s%s"
            .formatted(
                instanceId,
                where,
                nearest.isEmpty() ? "" : " Maybe you meant %s.".formatted(nearest),
                count,
                String.join(", ", first),
                count > first.size() ? ", ..." : "."));
  }
}
