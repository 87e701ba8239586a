package dev.berth.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a public type, or all types of a package, that may change without notice in a minor
 * release.
 *
 * <p>A minor release may rename or remove a marked type, and add, change or remove its members. The
 * changelog names each such change. Patch releases do not change it. Unmarked types are deprecated
 * for at least one minor release before they change in an incompatible way.
 *
 * <p>The mark covers the members and nested types of a type, and every method that takes, returns
 * or records a value of it. It is about the shape of the API only: marked types are complete,
 * tested and documented like all others.
 *
 * <p>A mark may be removed in any release; it is never added to a type that was released without
 * it.
 *
 * <p>Class files keep the mark, so that tools can compare versions of the API.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.PACKAGE})
public @interface Experimental {}
