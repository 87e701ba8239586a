package dev.berth.testkit.asserting;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/** An unmodifiable list that is valid as long as the view that returned it. */
final class AssertingList<T> extends AbstractList<T> implements RandomAccess {

  private final ProxyView source;
  private final String call;
  private final List<T> elements;

  AssertingList(ProxyView source, String call, List<T> elements) {
    this.source = source;
    this.call = call;
    this.elements = elements;
  }

  @Override
  public T get(int index) {
    source.check(call);
    return elements.get(index);
  }

  @Override
  public int size() {
    source.check(call);
    return elements.size();
  }

  @Override
  public String toString() {
    return elements.toString();
  }
}
