"use client";
// The app of the React project: the test copies App.tsx and Elements.tsx to this folder.

export { App as AnswerApp } from "./App";
