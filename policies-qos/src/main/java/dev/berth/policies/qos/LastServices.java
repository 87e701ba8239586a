package dev.berth.policies.qos;

import dev.berth.api.Request;
import dev.berth.api.policy.Completion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How long the last two instances of each application served; of each user, where the application
 * is not known.
 */
final class LastServices {

  private static final int MOST = 1024; // applications and users; the latest ones
  private static final String THEN = "lastServices";
  private static final String NEWS = "newServices";

  private final Map<Key, Two> then = new LinkedHashMap<>();
  private final Map<Key, Two> news = new LinkedHashMap<>();
  private List<List<Object>> savedThen = List.of();

  /** The service of the last two instances, in nanoseconds; 0 if there was only one. */
  private record Two(long last, long before) {}

  /** The application of a request, or its user if it names no application. */
  private record Key(boolean isApplication, String name) {

    static @Nullable Key of(Request request) {
      if (request.application().isPresent()) {
        return new Key(true, request.application().get());
      }
      return request.user().isPresent() ? new Key(false, request.user().get()) : null;
    }
  }

  /** Returns the expected service in nanoseconds; 0 if it is not known. */
  long expected(Request request) {
    Two its = then.get(Key.of(request));
    return its == null || its.before == 0 ? 0 : Math.max(1, its.last / 2 + its.before / 2);
  }

  void add(Completion completion) {
    Key key = Key.of(completion.request());
    if (key != null) {
      Two known = news.getOrDefault(key, then.getOrDefault(key, new Two(0, 0)));
      news.put(key, new Two(completion.serviceTime(), known.last));
    }
  }

  /** From now on, what completed so far is expected. */
  void renew() {
    news.forEach(
        (key, its) -> {
          then.remove(key); // to be the latest
          then.put(key, its);
        });
    news.clear();
    then.keySet().removeIf(any -> then.size() > MOST);
    savedThen = plain(then);
  }

  void save(Map<String, Object> saved) {
    saved.put(THEN, savedThen);
    saved.put(NEWS, plain(news));
  }

  private static List<List<Object>> plain(Map<Key, Two> all) {
    List<List<Object>> saved = new ArrayList<>();
    all.forEach(
        (key, its) ->
            saved.add(List.of(key.isApplication ? 1L : 0L, key.name, its.last, its.before)));
    return saved;
  }

  void restore(Map<String, Object> saved) {
    restore(saved.getOrDefault(THEN, List.of()), then);
    restore(saved.getOrDefault(NEWS, List.of()), news);
    savedThen = plain(then);
  }

  private static void restore(Object saved, Map<Key, Two> all) {
    all.clear();
    for (Object each : SavedData.list(saved)) {
      List<?> its = SavedData.list(each, 4);
      all.put(
          new Key(SavedData.number(its.get(0)) == 1, SavedData.text(its.get(1))),
          new Two(SavedData.number(its.get(2)), SavedData.number(its.get(3))));
    }
  }
}
