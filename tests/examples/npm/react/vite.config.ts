import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// The service's routes are on the server of the page: in development, Vite passes their requests on to it.
export default defineConfig({ plugins: [react()], server: { proxy: { "/citations": process.env["SERVER"] ?? "http://localhost:5500" } } });
