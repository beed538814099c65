# The service with everything that it can use: docker build -t highlighter .
# It runs as an ordinary user, writes to /data alone, and needs no network but the addresses that its settings name.
FROM python:3.11-slim-trixie AS build
WORKDIR /source
# Every package by its hash. `make lock` writes the file; IMAGE_EXTRAS in the Makefile says what is in it.
COPY deploy/image.lock deploy/
RUN python -m venv /opt/highlighter \
 && /opt/highlighter/bin/pip install --no-cache-dir --no-deps --require-hashes -r deploy/image.lock
COPY . .
RUN /opt/highlighter/bin/pip install --no-cache-dir --no-deps --no-build-isolation --no-index .

FROM python:3.11-slim-trixie
# Tesseract recognises scans; the fonts are for pages of DOCX and TXT; libgomp runs the models; pg_dump makes backups of a
# PostgreSQL server of its own version or an older one.
RUN apt-get update \
 && apt-get install -y --no-install-recommends libgomp1 tesseract-ocr tesseract-ocr-deu tesseract-ocr-chi-sim tesseract-ocr-chi-tra \
    fonts-dejavu-core fonts-liberation fonts-wqy-zenhei postgresql-client-17 \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --uid 10001 --create-home --home-dir /data highlighter
COPY --from=build /opt/highlighter /opt/highlighter
COPY --chmod=755 deploy/backup.sh /opt/highlighter/bin/
ENV PATH=/opt/highlighter/bin:$PATH DATA_DIR=/data HOST=0.0.0.0 PORT=8000 LOG_FORMAT=json
USER 10001
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["python", "-c", "import http.client as h; c = h.HTTPConnection('127.0.0.1', 8000, timeout=4); c.request('GET', '/healthz'); c.getresponse()"]
CMD ["highlighter", "serve"]
