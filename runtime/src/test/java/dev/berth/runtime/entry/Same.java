package dev.berth.runtime.entry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.api.Request;
import dev.berth.api.ServiceClass;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Compares values by all that their methods return, since requests equal only themselves. */
public final class Same {

  private static final Set<String> NO_PROPERTIES =
      Set.of("toString", "hashCode", "unconstrained", "getClass", "notify", "notifyAll", "wait");

  private Same() {}

  /** Requires that two values are the same. */
  public static void requireSame(Object actual, Object expected) {
    requireSame("", actual, expected);
  }

  private static void requireSame(String path, Object actual, Object expected) {
    if (expected instanceof Request) {
      requireSameProperties(path, Request.class, actual, expected);
    } else if (expected instanceof ServiceClass) {
      requireSameProperties(path, ServiceClass.class, actual, expected);
    } else if (expected instanceof Record) {
      assertThat(actual).as(path).isInstanceOf(expected.getClass());
      for (RecordComponent each : expected.getClass().getRecordComponents()) {
        requireSameResult(path, each.getAccessor(), actual, expected);
      }
    } else if (expected instanceof Optional<?> optional) {
      assertThat(((Optional<?>) actual).isPresent()).as(path).isEqualTo(optional.isPresent());
      optional.ifPresent(each -> requireSame(path, ((Optional<?>) actual).get(), each));
    } else if (expected instanceof List<?> list) {
      List<?> others = new ArrayList<>((Collection<?>) actual);
      assertThat(others).as(path).hasSameSizeAs(list);
      for (int i = 0; i < list.size(); i++) {
        requireSame(path + "[" + i + "]", others.get(i), list.get(i));
      }
    } else if (expected instanceof Map<?, ?> map) {
      requireSame(path, new ArrayList<>(((Map<?, ?>) actual).keySet()), List.copyOf(map.keySet()));
      map.forEach(
          (key, value) -> requireSame(path + "." + key, ((Map<?, ?>) actual).get(key), value));
    } else {
      assertThat(actual).as(path).isEqualTo(expected);
    }
  }

  private static void requireSameProperties(
      String path, Class<?> type, Object actual, Object expected) {
    for (Method each : type.getDeclaredMethods()) {
      if (each.getParameterCount() == 0
          && Modifier.isPublic(each.getModifiers())
          && !Modifier.isStatic(each.getModifiers())
          && !NO_PROPERTIES.contains(each.getName())) {
        requireSameResult(path, each, actual, expected);
      }
    }
  }

  private static void requireSameResult(
      String path, Method method, Object actual, Object expected) {
    try {
      requireSame(path + "." + method.getName(), method.invoke(actual), method.invoke(expected));
    } catch (ReflectiveOperationException thrown) {
      throw new LinkageError(method.toString(), thrown);
    }
  }
}
